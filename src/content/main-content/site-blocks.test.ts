import { describe, expect, it } from 'vitest'
import { parseHtml } from '../tree/parse.ts'
import { textOf } from '../tree/tree.ts'
import { mainContent } from './main-content.ts'
import { createSiteBlocks, type SiteBlocks } from './site-blocks.ts'

const story = (number: number) =>
  `Story ${number} tells of a voyage to the harbour of town ${number}, of the people who live there, and of the ships that never came back from it.`
const notice =
  'Please remember that our office moves in spring, and that letters should go to the new address from then on.'

function keptText(number: number, site: SiteBlocks): string {
  const html = `<title>Story ${number}</title><body><nav><a href=/>Stories</a></nav><article><h1>Story ${number}</h1><p>${story(number)}</p>
    <p>${notice}</p><p>${story(number + 1000)}</p><p>${story(number + 2000)}</p></article></body>`
  const tree = parseHtml(html)
  const { skipped } = mainContent({ tree, url: `https://example.test/${number}`, readsNoscript: false, site })
  let text = ''
  for (let node = 1; node < tree.count; node += 1) {
    if (skipped[node] === 1) node = (tree.ends[node] ?? 0) - 1
    else if (tree.tags[node] === 0) text += textOf(tree, node)
  }
  return text
}

describe('texts of a site', () => {
  it('are omitted after they occurred on enough pages', () => {
    const site = createSiteBlocks()
    expect(keptText(1, site)).toContain(notice)
    for (let number = 2; number < 8; number += 1) keptText(number, site)
    const last = keptText(9, site)
    expect(last).not.toContain(notice)
    expect(last).toContain(story(9))
  })

  it('stay if they are most of the text of a page', () => {
    const site = createSiteBlocks()
    for (let visit = 0; visit < 8; visit += 1) expect(keptText(1, site)).toContain(story(1))
  })
})
