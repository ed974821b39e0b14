import os

project = 'Skerry'
author = 'The Skerry Crew'
copyright = '2026, The Skerry Crew'
release = '2.3'
extensions = ['sphinx_design', 'sphinx_copybutton']
html_theme = os.environ['THEME']
add_module_names = False
html_context = {
    'display_github': True,
    'github_user': 'skerry',
    'github_repo': 'skerry',
    'github_version': 'main',
    'conf_py_path': '/docs/',
}
if html_theme == 'furo':
    html_theme_options = {
        'source_repository': 'https://github.com/skerry/skerry/',
        'source_branch': 'main',
        'source_directory': 'docs/',
    }
if html_theme == 'pydata_sphinx_theme':
    html_theme_options = {'use_edit_page_button': True, 'show_toc_level': 2}
