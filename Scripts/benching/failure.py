"""A failure that ends the program with a one-line message."""


class Failure(Exception):
    """- status: 2 for a usage error, 1 for a failure, 3 if nothing can be compared."""

    def __init__(self, words, status=1):
        super().__init__(" ".join(str(words).split()))
        self.status = status
