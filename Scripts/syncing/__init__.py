"""A/V offset, measured from outside: the parts of `Scripts/measure-sync`."""
