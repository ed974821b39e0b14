import { describe, expect, it } from 'vitest'
import { findBlockedParts } from './blocked-parts.ts'
import { attr } from './tree/names.ts'
import { parseHtml } from './tree/parse.ts'
import { attribute } from './tree/tree.ts'

const story = '<p>A story about a lighthouse and the people who keep it burning.</p>'

/** Returns the ids of the blocked elements. */
function blocked(html: string, url = 'https://site.test/'): string[] {
  const tree = parseHtml(`<body>${story}${html}</body>`)
  const marks = findBlockedParts(tree, url)
  return [...marks.keys()]
    .filter((node) => marks[node] === 1)
    .map((node) => attribute(tree, node, attr.id) ?? '')
}

const cookieNotice = 'We use cookies on this site.'

describe('blockedParts', () => {
  it.each([
    ['a place for ads', '<div id=x class="wide ad-slot">Buy this.</div>'],
    ['a place by the beginning of its name', '<div id="div-gpt-ad-1">Buy this.</div>'],
    ['a frame of an ad host', '<iframe id=x src="//ad.doubleclick.net/a"></iframe>'],
    ['the dialog of a consent manager', `<div id="onetrust-banner-sdk">${cookieNotice}</div>`],
    ['a dialog by its name', '<div id=x class="cookieBanner">Biscuits!</div>'],
    ['a dialog by its words', `<div id=x role=dialog>${cookieNotice} <button>Reject all</button></div>`],
    ['a bar by its place and words', `<div id=x style="position: fixed">${cookieNotice} <a>Got it</a></div>`],
  ])('blocks %s', (_, html) => {
    expect(blocked(html)).toHaveLength(1)
  })

  it.each([
    ['a text about cookies', `<section>${cookieNotice} <button>Reject all</button></section>`],
    [
      'a letter that speaks of them',
      `<div role=dialog>${cookieNotice} <input type=email><button>I agree</button></div>`,
    ],
    ['a menu that stays in sight', '<nav style="position: sticky"><a>Cookies</a></nav>'],
    [
      'what holds the heading of the page',
      '<div class="ad-container"><h1>Lamps</h1><p>All of them.</p></div>',
    ],
    ['a long text with such a name', `<div class="cookie-notice">${story.repeat(60)}</div>`],
    ['a picture of a host on its own page', '<img src="https://ads.taboola.com/logo.png">'],
  ])('does not block %s', (_, html) => {
    expect(blocked(html, 'https://www.taboola.com/')).toEqual([])
  })

  it('blocks nothing if no text would remain', () => {
    const tree = parseHtml(`<body><div id="onetrust-banner-sdk">${cookieNotice}</div></body>`)
    expect(findBlockedParts(tree, 'https://site.test/').includes(1)).toBe(false)
  })
})
