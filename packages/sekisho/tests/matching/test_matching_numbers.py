"""Numbers in one form, whole numbers only, and words that are no numbers."""

from __future__ import annotations

import pytest

from sekisho.matching import contains, fold, quantities

SAME_AMOUNT = (
    "20万円",
    "２０万円",
    "20 万円",
    "200,000円",
    "¥200,000",
    "￥200,000",
    "200000円",
    "二十万円",
    "弐拾萬円",
    "20.0万円",
    "200,000 yen",
    "JPY 200,000",
    "200千円",
    "٢٠万円",
    "20\u200b万円",
    "200，000円",
    "200、000円",
    "200 000円",
    "¥ 200,000",
    "二〇万円",
    "20万\n円",
    "2O万円",
    "𝟚𝟘万円",
    "20\u00ad万\u200d円",
    "20万圓",
    r"\200,000",
)


@pytest.mark.parametrize("written", SAME_AMOUNT)
def test_one_amount_is_found_however_either_side_writes_it(written: str) -> None:
    """Width, spaces, separators, scales, currency and kanji are one form."""
    assert contains(f"上限は{written}です", "20万円")
    assert contains("上限は20万円です", written)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("等級 1 20万円", "20万円"),
        ("等級三 20万円", "20万円"),
        ("①20万円", "20万円"),
        ("①②0万円", "120万円"),
        ("100 200 300円", "300円"),
        ("1\n200円", "200円"),
        ("| 1 | 200円 |", "200円"),
        ("1億 2000万円", "2000万円"),
        ("1億2,000万円", "120,000,000円"),
        ("1.5万円", "15,000円"),
        ("20〜24万円", "20万円"),
        ("20-24万円", "24万円"),
        ("十分", "10分"),
        ("10分", "十分"),
        ("十分な説明", "十分"),
        ("8%", "8パーセント"),
        ("八パーセント", "8 percent"),
        ("8 ％", "8%"),
        ("12:00", "12時"),
        ("十二時", "１２時"),
        ("三ヶ月", "3か月"),
        ("3カ月", "三箇月"),
        ("第三条", "第3条"),
        ("－５度", "-5度"),
        ("2024/04/01", "2024年4月1日"),
        ("二〇二四年", "2024年"),
        ("20万円", "万円"),
        ("travel.pdf p.2.", "travel.pdf p.2"),
        ("p.2,", "p.2"),
        ("p.2", "p.2"),
        ("1.2.3", "1.2.3"),
        ("3千5百円", "3,500円"),
    ],
)
def test_numbers_are_found(text: str, wanted: str) -> None:
    """Each stands in the text in some reading."""
    assert contains(text, wanted)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("120万円", "20万円"),
        ("１２０万円", "20万円"),
        ("百二十万円", "20万円"),
        ("112時", "12時"),
        ("0.20万円", "20万円"),
        ("travel.pdf p.20", "travel.pdf p.2"),
        ("20万5千円", "20万円"),
        ("気温は−5度", "5度"),
        ("10-5度", "-5度"),
        ("1.2.3", "2.3"),
        ("1.2.3", "1.2"),
        ("1\n20万円", "120万円"),
        ("1\n200円", "1200円"),
        ("| 1 | 200円 |", "1200円"),
        ("等級 1 20万円", "120万円"),
        ("二十分", "十分"),
        ("十分な説明", "10分"),
        ("一部の人", "1部"),
        ("千葉", "1000葉"),
        ("数十万円", "十万円"),
        ("三分の一", "3分"),
        ("二人三脚", "2人"),
        ("千円札", "1000円"),
        ("1,200円", "200円"),
        ("200,000円", "20円"),
        ("2000000円", "20万円"),
        ("1,120万円", "120万円"),
        ("12.5%", "2.5%"),
        ("12.5%", "5%"),
    ],
)
def test_parts_of_numbers_and_words_are_not_found(text: str, wanted: str) -> None:
    """A number at an edge matches whole numbers only, and a word is no number."""
    assert not contains(text, wanted)


ORDINARY = (
    """
一部の社員は対象外です|一般の手続きに従います|千葉支店に勤務しています|万一の場合は連絡してください|三重県に出張します|一応確認しました
十分な説明が必要です|十分に注意してください|二人三脚で進めます|千円札を用意してください|四六時中対応しています|三日坊主になりがちです
一番大切なことです|一度に申請できません|一人前の社員になる|一日中会議でした|一時的な措置です|二日酔いで休みました|五月雨式に送ります
百円ショップで買いました|三日月が出ています|十人十色の意見があります|一件落着です|九分九厘決まりました|五分五分の勝負です|六本木の店舗
八百屋に寄りました|千代田区にあります|初七日の法要|百人一首を覚える|一回り大きい箱|二枚目の俳優|一枚岩の組織|二度とありません
三度目の正直です|十日町の工場|四日市市の支社|八日市に行きます|三分の一を超えます|過半数の三分の二|七五三の写真|一個人の意見です
数十万円の差があります|数百人が参加しました|何千円もします|一人暮らしの手当|一人ひとりの声|二の次にする|一朝一夕にはできない|唯一の方法です
統一した基準です|万全を期します|百科事典を引く|千差万別です|三角形の図|四角い机|五感を使う|六法全書|七色の光|八方美人|九州へ出張|十字路で待つ
一致しています|一覧を見ます|一括で申請|一律に支給|一層の努力|一定の条件|一体となって|一切認めない|一旦中止|一緒に働く|一方で反対|一瞬の出来事
二重に請求|二次会の費用|三者面談|四季の花|四捨五入します|五里霧中|十中八九|百発百中|千里の道|万年筆で書く|億劫になる|一石二鳥|三寒四温
再三の依頼|第一に安全|万能の薬|一概に言えない|一心に祈る|一見して分かる|一気に進める|一挙に解決|一言で言うと|一躍有名に
二転三転する|三々五々集まる|朝三暮四|四苦八苦|七転八起|一長一短|一喜一憂|一期一会|一刀両断|一網打尽
""".replace("\n", "|")
    .strip("|")
    .split("|")
)


def test_ordinary_sentences_gain_no_numbers() -> None:
    """No ASCII digit comes into a sentence whose kanji numerals are parts of words."""
    changed = [(each, fold(each)) for each in ORDINARY if any(map(str.isdigit, set(fold(each)) & set("0123456789")))]

    assert len(ORDINARY) >= 100
    assert changed == []


def test_quantities_are_numbers_with_units_in_folded_form() -> None:
    """However they are written; both ends of a range; no words."""
    text = "手当は二十万円から、上限は¥300,000。期間は3ヶ月、20〜24万円。十分な説明を一部に。割引は８％、版は1.2.3。"

    assert quantities(text) == {"200000円", "300000円", "3か月", "240000円", "8%"}
