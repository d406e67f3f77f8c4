"""The site: notebooks whose steppers step without a kernel, what there is to look up, and slides.

`python -m polynb.site OUT` makes it of a checkout (`pip install -e ".[site]"`). Nothing is
executed, and its pages load nothing from elsewhere, so that they also open from a disk.
"""
