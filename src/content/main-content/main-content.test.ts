import { describe, expect, it } from 'vitest'
import { writeHtml } from '../clean-html.ts'
import { parseHtml } from '../tree/parse.ts'
import { mainContent } from './main-content.ts'

const long = 'A sentence that says something about the subject of the page. '.repeat(8).trim()

function main(html: string): string {
  const tree = parseHtml(html)
  return writeHtml({ tree, ...mainContent(tree), readsNoscript: false, base: 'https://example.test/' })
}

describe('main content', () => {
  it('is the one main element when there is one', () => {
    expect(main(`<div>before</div><main><p>${long}</p></main><div>after</div>`)).toBe(
      `<main><p>${long}</p></main>`,
    )
    expect(main(`<p>x</p><div role="main">${long}</div>`)).toBe(`<div role="main">${long}</div>`)
  })

  it('leaves out header, navigation, sidebar and footer', () => {
    const html = `<header>h</header><nav>n</nav><div class="site-menu">m</div><div role="navigation">r</div>
      <p>${long}</p><aside>a</aside><div id="footer">i</div><footer>f</footer>`
    expect(main(html).trim()).toBe(`<p>${long}</p>`)
  })

  it('keeps headers and asides of an article', () => {
    const html = `<nav>n</nav><article><header><h1>T</h1></header><p>${long}</p><aside>note</aside></article>`
    expect(main(html)).toBe(`<article><header><h1>T</h1></header><p>${long}</p><aside>note</aside></article>`)
  })

  it('keeps an element that holds much of the text, whatever it is called', () => {
    expect(main(`<header class="menu"><p>${long}</p></header><p>short</p>`)).toContain(long)
  })

  it('is the whole page when too little would be left', () => {
    expect(main('<nav>one two three</nav><main></main>')).toContain('one two three')
    expect(main('<header>a</header><footer>b</footer>')).toBe('<header>a</header><footer>b</footer>')
  })

  it('does not choose between two main elements', () => {
    expect(main(`<main>${long}</main><main>${long}</main>`)).toBe(`<main>${long}</main><main>${long}</main>`)
  })
})
