import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Editor theme with the CSS variables of the console, so it follows the light and dark theme. */
export const editorTheme = [
  EditorView.theme({
    '&': {
      border: '1px solid var(--line)',
      borderRadius: 'var(--radius)',
      background: 'var(--panel)',
      color: 'var(--text)',
      maxHeight: '28rem',
    },
    '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '2px' },
    '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: '0.87rem', lineHeight: '1.5', overflow: 'auto' },
    '.cm-content': { minHeight: '6rem', caretColor: 'var(--text)' },
    '.cm-gutters': { background: 'none', color: 'var(--quiet)', border: 'none' },
    '.cm-cursor': { borderLeftColor: 'var(--text)' },
    '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
      background: 'var(--accent-soft)',
    },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: [tags.propertyName, tags.keyword, tags.definitionKeyword], color: 'var(--accent)' },
      { tag: tags.string, color: 'var(--good)' },
      { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
      { tag: tags.comment, color: 'var(--quiet)' },
    ]),
  ),
]
