"""What can be asked for, and how it is judged: a file for each kind of answer."""
