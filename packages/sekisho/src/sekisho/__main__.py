"""``python -m sekisho``."""

from sekisho.cli import main

if __name__ == "__main__":
    main()
