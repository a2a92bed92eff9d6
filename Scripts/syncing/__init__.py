"""Sound against picture, judged from outside: what `Scripts/measure-sync` is made of."""
