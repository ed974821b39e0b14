import { describe, expect, it } from 'vitest'
import { scanHtml } from './html-scan.ts'

function scanned(html: string): string[] {
  const met: string[] = []
  scanHtml(html, {
    startTag: (name, attributes) => met.push(`<${name}${attributes}>`),
    endTag: (name) => met.push(`</${name}>`),
    text: (text) => met.push(text),
    rawElement: (name, _, inside) => met.push(`[${name}: ${inside}]`),
    isDone: () => false,
  })
  return met
}

describe('scan of HTML', () => {
  it('meets tags and text in document order', () => {
    expect(scanned('<p>one <B>two</B>')).toEqual(['<p>', 'one ', '<b>', 'two', '</b>'])
  })

  it('does not end a tag inside a quoted value', () => {
    expect(scanned('<a x="1 > 0">go')).toEqual(['<a x="1 > 0">', 'go'])
  })

  it('takes an apostrophe in an unquoted value as a letter', () => {
    expect(scanned("<a title=it's>go")).toEqual(["<a title=it's>", 'go'])
  })

  it('gives the inside of a script as one piece', () => {
    expect(scanned('<script>if (a<b) "<p>"</SCRIPT >end')).toEqual(['[script: if (a<b) "<p>"]', 'end'])
  })

  it('skips comments', () => {
    expect(scanned('a<!-- <p> > -->b')).toEqual(['a', 'b'])
  })

  it('reads on after a drawing that is never closed', () => {
    expect(scanned('<svg><p>text')).toEqual(['<svg>', '<p>', 'text'])
  })

  it('takes a lone bracket as text', () => {
    expect(scanned('1 < 2').join('')).toBe('1 < 2')
  })

  it('reads shadow roots that are written into the page', () => {
    expect(scanned('<template shadowrootmode="open"><p>in')).toEqual([
      '<template shadowrootmode="open">',
      '<p>',
      'in',
    ])
  })
})
