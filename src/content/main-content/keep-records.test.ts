import { describe, expect, it } from 'vitest'
import { parseHtml } from '../tree/parse.ts'
import type { Choice } from './choice.ts'
import { readEvidence } from './evidence.ts'
import { tableSize } from './hashing.ts'
import { keepRecords } from './keep-records.ts'

/** Nothing is known of any word, so that only the records speak. */
const tables = { names: new Int8Array(tableSize), words: new Int8Array(tableSize) }

/** What is kept of a page, of which the blocks that hold one of these words were. */
function kept(html: string, chosen: string[], url = 'https://example.test/'): string[] {
  const tree = parseHtml(html)
  const evidence = readEvidence({ tree, url, readsNoscript: false }, tables)
  const { blocks } = evidence
  const texts = Array.from({ length: blocks.count }, (_, block) => {
    let text = ''
    for (let node = blocks.firsts[block] ?? 0; node < (blocks.lasts[block] ?? 0); node += 1) {
      if (tree.tags[node] === 0) text += tree.html.slice(tree.starts[node], tree.stops[node])
    }
    return text.trim()
  })
  const isChosen = (text: string) => chosen.some((word) => text.includes(word))
  const choice: Choice = {
    kept: Uint8Array.from(texts, (text) => Number(isChosen(text))),
    reasons: texts.map(() => 'probable'),
  }
  keepRecords(choice, evidence, Float32Array.from(choice.kept))
  return texts.filter((_, block) => choice.kept[block] === 1)
}

const card = (name: string, price: string) =>
  `<div class="card"><h3><a href="/${name}">${name}</a></h3><p class="price">${price}</p><p><a href="/cart">Add to cart</a></p></div>`
const cards = card('Lamp', '€40') + card('Chair', '€90') + card('Shelf', '€120') + card('Stool', '€35')

describe('cards', () => {
  it('keep their names and prices where most of them are kept, and not what all of them say', () => {
    expect(kept(`<main>${cards}</main>`, ['Lamp', 'Chair', 'Shelf', '€40', '€90'])).toEqual([
      'Lamp',
      '€40',
      'Chair',
      '€90',
      'Shelf',
      '€120',
      'Stool',
      '€35',
    ])
  })

  it('keep the heading above them', () => {
    expect(kept(`<main><h2>Furniture</h2><p>4 results</p>${cards}</main>`, ['Lamp', 'Chair', '€'])[0]).toBe(
      'Furniture',
    )
  })

  it('are left alone in a menu', () => {
    expect(kept(`<nav>${cards}</nav>`, ['Lamp', 'Chair', 'Shelf'])).toEqual(['Lamp', 'Chair', 'Shelf'])
  })

  it('beside a product are left out where only some of them were kept', () => {
    const product = `<h1>Desk</h1><p>€300</p><button>Add to cart</button><p>${'An oak desk with two drawers. '.repeat(9)}</p>`
    expect(
      kept(`<main>${product}<h2>You may like</h2>${cards}</main>`, ['Desk', 'oak', 'You may like', 'Chair']),
    ).toEqual(['Desk', '€300', 'An oak desk with two drawers. '.repeat(9).trim()])
  })
})

const post = (author: string, date: string, text: string) =>
  `<li class="post"><a class="username" href="/u/${author}">${author}</a><div>Joined 2009</div><div><time>${date}</time></div><p>${text}</p><div><a href="/r">Reply</a></div></li>`
const said = ['The first answer is a long one and says how.', 'The second one agrees.', 'So does the third.']

describe('posts', () => {
  const posts = `<ul>${post('mira', '2 May', said[0] ?? '')}${post('jon', '3 May', said[1] ?? '')}${post('ute', '4 May', said[2] ?? '')}</ul>`

  it('keep who wrote them and when, not since when somebody is there', () => {
    expect(kept(`<main>${posts}</main>`, ['answer', 'agrees', 'third'])).toEqual(
      ['mira', 'jon', 'ute'].flatMap((author, place) => [author, `${place + 2} May`, said[place] ?? '']),
    )
  })

  it('keep their dates where one of them speaks of a year', () => {
    const [first, second, third] = said
    const same = `<ul>${post('mira', '2 May', first ?? '')}${post('jon', '2 May', `${second}<p>Since 2019.</p>`)}${post('ute', '2 May', third ?? '')}</ul>`
    const all = kept(`<main>${same}</main>`, ['answer', 'agrees', 'third', 'Since'])
    expect(all.filter((text) => text === '2 May')).toHaveLength(3)
  })

  it('keep the text that one of them has lost', () => {
    expect(kept(`<main>${posts}</main>`, ['answer', 'agrees'])).toContain(said[2])
  })

  it('keep the byline of the one that opens a thread', () => {
    const html = `<h1>Why?</h1><p class="author">Added by mira on 1 May 2026</p><p>${'Nobody knows why it is so. '.repeat(3)}</p>`
    const all = kept(html, ['Why?', 'Nobody'], 'https://example.test/topics/7')
    expect(all[1]).toBe('Added by mira on 1 May 2026')
  })
})

describe('a product', () => {
  const about = `<h1>Desk</h1><p>1 in basket: €0.00</p><p>300,00 EUR</p><p>${'An oak desk with two drawers. '.repeat(9)}</p>`

  it('keeps the price that its data states, whatever sign it has', () => {
    const data = `<script type="application/ld+json">{"@type":"Product","offers":{"@type":"Offer","price":300}}</script>`
    expect(kept(`${data}<main>${about}</main>`, ['Desk', 'oak'])).toContain('300,00 EUR')
  })

  it('has no price where a page is not about one', () => {
    expect(kept(`<main>${about}</main>`, ['Desk', 'oak'])).not.toContain('300,00 EUR')
  })
})
