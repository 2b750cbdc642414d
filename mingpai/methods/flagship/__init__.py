"""The flagship `mingpai` and `mcm-search`: where two methods meet that do not know each other.

`handsplit` reads the hidden hands, searches the tree and proves endings; `mcm` values moves and plays worlds out. This
room alone imports both.
"""
