"""What ends the program with one line."""


class Failure(Exception):
    """- status: 2 where it was asked for wrongly, 1 where it could not be done, 3 where nothing is to be compared."""

    def __init__(self, words, status=1):
        super().__init__(" ".join(str(words).split()))
        self.status = status
