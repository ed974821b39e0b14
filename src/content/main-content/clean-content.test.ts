import { describe, expect, it } from 'vitest'
import { parseHtml } from '../tree/parse.ts'
import { endOf, isText, root, type Tree, tagName, textAt } from '../tree/tree.ts'
import { type CleaningRequest, cleanContent } from './clean-content.ts'

const url = 'https://example.test/'

function getTexts(tree: Tree, skipped: Uint8Array): string[] {
  const lines: string[] = []
  for (let node = root + 1; node < tree.count; node += 1) {
    const isOmitted = skipped[node] === 1 || tagName(tree, node) === 'head'
    if (isOmitted) node = endOf(tree, node) - 1
    else if (isText(tree, node)) lines.push(textAt(tree, node).trim())
  }
  return lines.filter(Boolean)
}

function clean(html: string, request?: CleaningRequest): string[] | undefined {
  const tree = parseHtml(html)
  const found = cleanContent({ tree, url, readsNoscript: false }, request ?? { mode: undefined })
  return found && getTexts(tree, found.skipped)
}

const sentence = (town: number) =>
  `The harbour of town ${town} was closed for three days after the storm, and the boats of its fishermen could not leave the quay.`
const page = (more: string) => `<html><head><title>Storm closes harbours</title></head><body>
  <nav><a href="/">Home</a> <a href="/sport">Sport</a></nav><main><article><h1>Storm closes harbours</h1>
  ${[1, 2, 3, 4, 5].map((town) => `<p>${sentence(town)}</p>`).join('')}${more}</article></main>
  <footer><p>Copyright Harbour Herald</p></footer></body></html>`

describe('cleanContent', () => {
  it.each([
    [
      'a share bar',
      '<div class="share-buttons"><a href="/f">Facebook</a> <a href="/x">Send it to a friend</a></div>',
    ],
    ['a line that leads away', '<p>You may also like the ten storms that nobody has forgotten</p>'],
    [
      'a box about the author',
      '<div class="author-bio"><p>Jane Doe writes for the Herald and has two dogs.</p></div>',
    ],
    ['a line about cookies', '<p>By reading on you agree to our use of cookies.</p>'],
    [
      'further stories with their heading',
      '<div class="related"><h3>Related stories</h3><ul><li><a href="/a">Ten walks</a></li><li><a href="/b">A new keeper</a></li><li><a href="/c">Fish market moves</a></li></ul></div>',
    ],
  ])('removes %s', (_, boilerplate) => {
    expect(clean(page(boilerplate))).toEqual(['Storm closes harbours', ...[1, 2, 3, 4, 5].map(sentence)])
  })

  it('keeps structures complete, with their headings', () => {
    const texts = clean(
      page(`<h2>Damage</h2><ul><li>Pier</li><li>Two sheds of the yard</li></ul><h2>Water</h2>
        <table><tr><th>Day</th><th>cm</th></tr><tr><td>Monday</td><td>412</td></tr></table><pre>read(60)</pre>`),
    )
    for (const text of [
      'Damage',
      'Pier',
      'Two sheds of the yard',
      'Water',
      'Day',
      'cm',
      'Monday',
      '412',
      'read(60)',
    ])
      expect(texts).toContain(text)
  })

  it('cleans the complete page if requested', () => {
    const html = page('')
    const texts = clean(html, { parts: [root + 1], hasTitle: true })
    expect(texts).toContain(sentence(5))
    expect(texts).not.toContain('Copyright Harbour Herald')
    expect(texts).not.toContain('Sport')
  })

  it('reads deeply nested lists and many parts with names of boilerplate', () => {
    const depth = 20_000
    const lists = `${'<ul><li>a'.repeat(depth)}<h2>b</h2>`
    const named = `${'<div class="share">'.repeat(depth)}${'<p>.</p>'.repeat(1000)}`
    for (const more of [lists, named]) expect(clean(page(more))).toContain(sentence(5))
  })

  it('returns undefined for a page of a few words, and for boilerplate only', () => {
    expect(clean('<h1>Fog</h1><p>Nothing is seen.</p>')).toBeUndefined()
    const html = page('')
    const footer = parseHtml(html)
    const node = Array.from({ length: footer.count }, (_, at) => at).find(
      (at) => tagName(footer, at) === 'footer',
    )
    expect(clean(html, { parts: [node ?? root], hasTitle: false })).toBeUndefined()
  })
})
