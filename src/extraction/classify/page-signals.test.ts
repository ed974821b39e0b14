import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../content/tree/parse.ts'
import { readPageSignals as factsOf } from './page-signals.ts'

const readFacts = (html: string) => factsOf(parseHtml(html))

const long = 'The mill by the brook has stood still since the war. '.repeat(30)

describe('facts of a page', () => {
  it('counts prose apart from links and from what stands around', () => {
    const facts = readFacts('<nav>menu</nav><p>prose <a href="/">link</a></p><div class="footer">foot</div>')
    expect(facts).toMatchObject({ prose: 5, linked: 4, around: 8 })
  })

  it('takes a header inside an article as part of it', () => {
    expect(readFacts('<article><header>By Ann</header></article>').prose).toBe(6)
  })

  it('believes no class name that wraps the main part', () => {
    expect(readFacts('<div class="has-sidebar"><main>twelve chars</main></div>').prose).toBe(12)
  })

  it('believes no class name around much text', () => {
    expect(readFacts(`<div class="menu wrap"><p>${long}</p></div>`).prose).toBeGreaterThan(1500)
  })

  it('finds the text behind a header that is never closed', () => {
    expect(readFacts(`<body><header>Logo<p>${long}</p></body>`).prose).toBeGreaterThan(1500)
  })

  it('stops where there is no doubt', () => {
    expect(readFacts(`<p>${long.repeat(2)}</p><p>more</p>`)).toMatchObject({ isPlenty: true, mains: 0 })
  })

  it('sees that a root element holds nothing but a loading message', () => {
    expect(readFacts('<div id="root"><span>Loading…</span></div>').emptyRoots).toBe(1)
  })

  it('sees a root element that was filled by the server', () => {
    expect(readFacts(`<div id="root"><p>${long}</p></div>`)).toMatchObject({ emptyRoots: 0, filled: 1 })
  })

  it('sees a main part without content beside a full footer', () => {
    const facts = readFacts(`<main> </main><footer>${long}</footer>`)
    expect(facts).toMatchObject({ mains: 1, emptyMains: 1, prose: 0 })
  })

  it('counts no script that only counts visits', () => {
    const counting = '<script src="https://www.googletagmanager.com/gtag/js"></script>'
    expect(readFacts(`${counting}<script type="application/ld+json">{}</script>`).scripts).toBe(0)
    expect(readFacts('<script src="/app.js"></script>').scripts).toBe(1)
  })

  it('ignores a refresh that only loads the page anew', () => {
    expect(readFacts('<meta http-equiv="refresh" content="300">').refresh).toBeUndefined()
    expect(readFacts('<meta http-equiv="refresh" content="0; url=/en">').refresh).toBe('/en')
  })

  it('counts a character of Chinese as two letters', () => {
    expect(readFacts('<p>页面</p>').prose).toBe(4)
  })

  it('starts a block where another ends', () => {
    const { blocks } = readFacts('<div>one <b>t</b>wo<p>three</p>four<script>x()</script> five</div>six')
    expect(blocks).toEqual(['one two', 'three', 'four five', 'six'])
  })

  it('has headings and buttons with all that is written on them', () => {
    const facts = readFacts(
      '<h1>A <em>long</em>\n title</h1><h2>open<a href="/"><b>Read</b> on</a><button>Yes</button>',
    )
    expect(facts).toMatchObject({ headings: ['A long title'], controls: ['Read on', 'Yes'] })
  })

  it('counts nothing that is not shown', () => {
    const hidden =
      '<template><template></template>a</template><select><option>b</select><svg><text>c</text></svg>'
    expect(readFacts(`${hidden}<noframes>d</noframes><div hidden>aside</div>`)).toMatchObject({
      ...{ prose: 0, around: 5 },
    })
  })

  it('does not take a class for the attribute', () => {
    expect(readFacts('<div class="wide hidden sm:block">shown</div>').prose).toBe(5)
  })

  it.each(['svg', 'object', 'video', 'select', 'template', 'noscript'])(
    'reads on after a %s that is never closed',
    (name) => {
      expect(readFacts(`<${name}><p>text</p>`).prose).toBe(4)
    },
  )

  it('reads shadow roots that are written into the page', () => {
    expect(readFacts('<div><template shadowrootmode="open"><p>in</p></template></div>').prose).toBe(2)
  })

  it('keeps apart what stands in noscript', () => {
    const noscript =
      '<noscript><meta http-equiv="refresh" content="0; url=/plain"><p>Turn it on<style>p</style></noscript>'
    expect(readFacts(noscript)).toMatchObject({
      prose: 0,
      noscript: 'Turn it on ',
      noscriptRefresh: '/plain',
    })
  })

  it('takes back what stands in an open element only as far as its end', () => {
    const open = `<header><nav><p>${long.slice(0, 700)}</header>`
    expect(readFacts(open).prose).toBeGreaterThan(600)
    expect(readFacts(`<aside>${open}</aside>`).prose).toBe(0)
  })
})
