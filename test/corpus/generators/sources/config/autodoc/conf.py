import os
import sys

sys.path.insert(0, os.environ['PACKAGE'])
project = 'Skerry'
copyright = '2026, The Skerry Crew'
release = '2.3'
extensions = ['sphinx.ext.autodoc', 'sphinx.ext.autosummary', 'sphinx.ext.viewcode', 'numpydoc']
numpydoc_show_class_members = False
html_theme = os.environ['THEME']
add_module_names = False
