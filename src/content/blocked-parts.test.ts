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

describe('findBlockedParts', () => {
  it.each([
    ['an ad container by its class', '<div id=x class="wide ad-slot">Buy this.</div>'],
    ['an ad container by the prefix of its id', '<div id="div-gpt-ad-1">Buy this.</div>'],
    ['an iframe from an ad host', '<iframe id=x src="//ad.doubleclick.net/a"></iframe>'],
    ['the dialog of a consent manager', `<div id="onetrust-banner-sdk">${cookieNotice}</div>`],
    ['a cookie dialog by its class', '<div id=x class="cookieBanner">Biscuits!</div>'],
    [
      'a cookie dialog by its text',
      `<div id=x role=dialog>${cookieNotice} <button>Reject all</button></div>`,
    ],
    [
      'a cookie bar by its position and text',
      `<div id=x style="position: fixed">${cookieNotice} <a>Got it</a></div>`,
    ],
  ])('blocks %s', (_, html) => {
    expect(blocked(html)).toHaveLength(1)
  })

  it.each([
    ['a text about cookies', `<section>${cookieNotice} <button>Reject all</button></section>`],
    [
      'a sign-up form that mentions cookies',
      `<div role=dialog>${cookieNotice} <input type=email><button>I agree</button></div>`,
    ],
    ['a sticky menu', '<nav style="position: sticky"><a>Cookies</a></nav>'],
    [
      'an ad container with the heading of the page',
      '<div class="ad-container"><h1>Lamps</h1><p>All of them.</p></div>',
    ],
    ['a long text with the class of a cookie dialog', `<div class="cookie-notice">${story.repeat(60)}</div>`],
    ['an image from an ad host on its own site', '<img src="https://ads.taboola.com/logo.png">'],
  ])('does not block %s', (_, html) => {
    expect(blocked(html, 'https://www.taboola.com/')).toEqual([])
  })

  it('blocks nothing if no text would remain', () => {
    const tree = parseHtml(`<body><div id="onetrust-banner-sdk">${cookieNotice}</div></body>`)
    expect(findBlockedParts(tree, 'https://site.test/').includes(1)).toBe(false)
  })
})
