"""What a notebook is given to show of an object."""
