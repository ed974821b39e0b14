import { describe, expect, it } from 'vitest'
import { parseHtml } from '../tree/parse.ts'
import { attributesOf } from '../tree/tree.ts'
import { tableSize } from './class-name-features.ts'
import { findConsentAndSignupBoxes } from './consent-and-signup.ts'
import { readEvidence } from './page-analysis.ts'

const tables = { names: new Int8Array(tableSize), words: new Int8Array(tableSize) }
const text = `<article><p>${'The harbour was closed for three days after the storm. '.repeat(12)}</p></article>`
const about = 'We and our partners use cookies to measure how you use this site and to show you offers.'

/** Returns the ids of consent and signup boxes. */
function findIds(html: string): (string | undefined)[] {
  const tree = parseHtml(`<body>${html}${text}</body>`)
  const evidence = readEvidence({ tree, url: 'https://example.test/', readsNoscript: false }, tables)
  return findConsentAndSignupBoxes(evidence, new Float32Array(evidence.blocks.count)).map((node) =>
    attributesOf(tree, node).get('id'),
  )
}

describe('findConsentAndSignupBoxes', () => {
  it('finds consent dialogs with any name', () => {
    const html = `<section id="x"><h3>Before you go on</h3><p>${about}</p><p><button>Accept all</button></p></section>`
    expect(findIds(html)).toEqual(['x'])
  })

  it('finds consent dialogs in other languages', () => {
    const html = `<div id="x"><p>Diese Seite verwendet Cookies, um Daten zu messen und Werbung zu zeigen.</p><a class="btn">Alle akzeptieren</a></div>`
    expect(findIds(html)).toEqual(['x'])
  })

  it('finds notices with a consent name and no button', () => {
    expect(findIds(`<div id="x" class="site-cookie-notice"><p>${about}</p></div>`)).toEqual(['x'])
  })

  it('does not find texts about cookies', () => {
    const link = 'How to <a href="/c">withdraw your consent</a> is told below.'
    expect(findIds(`<section id="x" class="cookie-policy"><p>${about}</p><p>${link}</p></section>`)).toEqual(
      [],
    )
  })

  it('finds newsletter forms with the text around them', () => {
    const form = '<form><input type="email" name="mail"><button>Go</button></form>'
    expect(findIds(`<div id="x" class="newsletter"><h3>Stay in touch</h3>${form}</div>`)).toEqual(['x'])
    expect(findIds(`<div id="x"><p>Subscribe to our letters.</p>${form}</div>`)).toEqual(['x'])
  })

  it('does not find contact forms', () => {
    const form =
      '<form id="x"><p>Your mail</p><input type="email"><textarea></textarea><button>Sign up</button></form>'
    expect(findIds(form)).toEqual([])
  })
})
