import { describe, expect, it } from 'vitest'
import { parseHtml } from '../tree/parse.ts'
import type { Choice } from './block-selection.ts'
import { tableSize } from './class-name-features.ts'
import { readEvidence } from './page-analysis.ts'
import { keepRecordLines } from './record-lines.ts'

/** Empty tables: only the rule counts. */
const tables = { names: new Int8Array(tableSize), words: new Int8Array(tableSize) }

/** Returns the kept texts, if texts with one of these words were kept before. The others have the given probability. */
function getKept(html: string, chosen: string[], probability = 0): string[] {
  const tree = parseHtml(html)
  const evidence = readEvidence({ tree, url: 'https://example.test/', readsNoscript: false }, tables)
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
  keepRecordLines(choice, evidence, new Float32Array(texts.length).fill(probability))
  return texts.filter((_, block) => choice.kept[block] === 1)
}

const card = (name: string, price: string) =>
  `<div class="card"><h3><a href="/${name}">${name}</a></h3><p class="price">${price}</p><p><a href="/cart">Add to cart</a></p></div>`
const cards = card('Lamp', '€40') + card('Chair', '€90') + card('Shelf', '€120') + card('Stool', '€35')

describe('keepRecordLines with cards', () => {
  it('keeps names and prices if most cards are kept, and drops the button that all of them have', () => {
    expect(getKept(`<main>${cards}</main>`, ['Lamp', 'Chair', 'Shelf', '€40', '€90'])).toEqual([
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

  it('changes nothing in a menu', () => {
    expect(getKept(`<nav>${cards}</nav>`, ['Lamp', 'Chair', 'Shelf'])).toEqual(['Lamp', 'Chair', 'Shelf'])
  })

  it('changes nothing for fewer than three similar cards', () => {
    expect(getKept(`<main>${card('Lamp', '€40')}${card('Chair', '€90')}</main>`, ['Lamp', 'Chair'])).toEqual([
      'Lamp',
      'Chair',
    ])
  })
})

const post = (author: string, date: string, text: string) =>
  `<li class="post"><a class="username" href="/u/${author}">${author}</a><div>Joined 2009</div><div><time>${date}</time></div><p>${text}</p><div><a href="/r">Reply</a></div></li>`

describe('keepRecordLines with posts', () => {
  const texts = [
    'The first answer is a long one that explains how.',
    'The second agrees with it.',
    'The third says so too.',
  ]
  const [first = '', second = '', third = ''] = texts
  const thread = `<main><ul>${post('mira', '2 May', first)}${post('jon', '3 May', second)}${post('ute', '4 May', third)}</ul></main>`

  it('keeps author and date, but not the date on which the author joined', () => {
    expect(getKept(thread, ['answer', 'agrees', 'third'])).toEqual(
      ['mira', 'jon', 'ute'].flatMap((author, place) => [author, `${place + 2} May`, texts[place] ?? '']),
    )
  })

  it('keeps a possible text if most of the thread is kept', () => {
    expect(getKept(thread, ['answer', 'agrees'], 0.2)).toContain(third)
    expect(getKept(thread, ['answer', 'agrees'], 0.1)).not.toContain(third)
  })

  it('omits records if little of the thread is kept', () => {
    const long = post('ben', '5 May', 'One of them is long. '.repeat(20))
    expect(getKept(thread.replace('</ul>', `${long}</ul>`), ['Joined'], 0.2)).not.toContain('ben')
  })
})
