import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../content/tree/parse.ts'
import { readPageSignals as factsOf } from './page-signals.ts'

const readFacts = (html: string) => factsOf(parseHtml(html))

const longText = 'The mill by the brook has stood still since the war. '.repeat(30)

describe('readPageSignals', () => {
  it('counts main text, link text and surrounding text separately', () => {
    const facts = readFacts('<nav>menu</nav><p>prose <a href="/">link</a></p><div class="footer">foot</div>')
    expect(facts).toMatchObject({ prose: 5, linked: 4, around: 8 })
  })

  it('counts a header inside an article as main text', () => {
    expect(readFacts('<article><header>By Ann</header></article>').prose).toBe(6)
  })

  it('ignores a class name of an element that wraps the main part', () => {
    expect(readFacts('<div class="has-sidebar"><main>twelve chars</main></div>').prose).toBe(12)
  })

  it('ignores a class name of an element with much text', () => {
    expect(readFacts(`<div class="menu wrap"><p>${longText}</p></div>`).prose).toBeGreaterThan(1500)
  })

  it('reads the text after a header without an end tag', () => {
    expect(readFacts(`<body><header>Logo<p>${longText}</p></body>`).prose).toBeGreaterThan(1500)
  })

  it('stops at enough prose', () => {
    expect(readFacts(`<p>${longText.repeat(2)}</p><p>more</p>`)).toMatchObject({
      hasEnoughProse: true,
      mainCount: 0,
    })
  })

  it('counts a root element with only a loading message as empty', () => {
    expect(readFacts('<div id="root"><span>Loading…</span></div>').emptyRoots).toBe(1)
  })

  it('counts a root element with server-rendered text as filled', () => {
    expect(readFacts(`<div id="root"><p>${longText}</p></div>`)).toMatchObject({
      emptyRoots: 0,
      filledCount: 1,
    })
  })

  it('counts a main part without content as empty, despite a long footer', () => {
    const facts = readFacts(`<main> </main><footer>${longText}</footer>`)
    expect(facts).toMatchObject({ mainCount: 1, emptyMainCount: 1, prose: 0 })
  })

  it('does not count analytics and JSON-LD scripts', () => {
    const counting = '<script src="https://www.googletagmanager.com/gtag/js"></script>'
    expect(readFacts(`${counting}<script type="application/ld+json">{}</script>`).scripts).toBe(0)
    expect(readFacts('<script src="/app.js"></script>').scripts).toBe(1)
  })

  it('ignores a refresh that only reloads the page', () => {
    expect(readFacts('<meta http-equiv="refresh" content="300">').refresh).toBeUndefined()
    expect(readFacts('<meta http-equiv="refresh" content="0; url=/en">').refresh).toBe('/en')
  })

  it('counts a Chinese character as two letters', () => {
    expect(readFacts('<p>页面</p>').prose).toBe(4)
  })

  it('starts a block at the end of another', () => {
    const { blocks } = readFacts('<div>one <b>t</b>wo<p>three</p>four<script>x()</script> five</div>six')
    expect(blocks).toEqual(['one two', 'three', 'four five', 'six'])
  })

  it('collects headings and button labels with their nested text', () => {
    const facts = readFacts(
      '<h1>A <em>long</em>\n title</h1><h2>open<a href="/"><b>Read</b> on</a><button>Yes</button>',
    )
    expect(facts).toMatchObject({ headings: ['A long title'], controls: ['Read on', 'Yes'] })
  })

  it('does not count hidden text', () => {
    const hidden =
      '<template><template></template>a</template><select><option>b</select><svg><text>c</text></svg>'
    expect(readFacts(`${hidden}<noframes>d</noframes><div hidden>aside</div>`)).toMatchObject({
      ...{ prose: 0, around: 5 },
    })
  })

  it('does not treat a class named hidden as the attribute', () => {
    expect(readFacts('<div class="wide hidden sm:block">shown</div>').prose).toBe(5)
  })

  it.each(['svg', 'object', 'video', 'select', 'template', 'noscript'])(
    'reads text after a %s without an end tag',
    (name) => {
      expect(readFacts(`<${name}><p>text</p>`).prose).toBe(4)
    },
  )

  it('reads declarative shadow roots', () => {
    expect(readFacts('<div><template shadowrootmode="open"><p>in</p></template></div>').prose).toBe(2)
  })

  it('keeps the content of noscript separate', () => {
    const noscript =
      '<noscript><meta http-equiv="refresh" content="0; url=/plain"><p>Turn it on<style>p</style></noscript>'
    expect(readFacts(noscript)).toMatchObject({
      prose: 0,
      noscript: 'Turn it on ',
      noscriptRefresh: '/plain',
    })
  })

  it('reclassifies the text of an open element only up to its end', () => {
    const open = `<header><nav><p>${longText.slice(0, 700)}</header>`
    expect(readFacts(open).prose).toBeGreaterThan(600)
    expect(readFacts(`<aside>${open}</aside>`).prose).toBe(0)
  })
})
