import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, scrape } from '../api.ts'
import { sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const sentence =
  'The lighthouse was built in three summers by the people of the island, who carried every stone.'
const long = `<p>${'This stands behind a dialog that is open when the page is loaded. '.repeat(12)}</p>`

const lighthouse = `<!doctype html><html><head><title>Lighthouse</title></head><body><main><h1>Lighthouse
  <a class="anchor" href="#top" aria-hidden="true">¶</a></h1>
<p>${sentence}</p><p>${sentence}</p><p>${sentence}</p>
<p hidden>Secret one.</p>
<div style="color: red; DISPLAY : none"><p>Secret two.</p></div>
<p><span aria-hidden="true">★★★</span><i class="fa fa-home" aria-hidden="true">home_icon</i>
  <span class="material-icons">arrow_forward</span> Three stars, <span aria-hidden="true">−</span>5 degrees.</p>
<div role="dialog" id="terms" hidden>Secret three.</div><a href="#terms">Terms</a>
<ul role="tablist"><li role="tab" aria-controls="p1">Past</li><li role="tab" aria-controls="p2">Today</li></ul>
<div role="tabpanel" id="p1"><p>Oil was burnt in the past.</p></div>
<div role="tabpanel" id="p2" hidden><p>Today the lamp is electric.</p></div>
<button aria-expanded="false" aria-controls="more">How high is it?</button>
<div id="more" hidden><p>It is forty metres high.</p></div>
<div class="accordion"><h3>Who keeps it?</h3><div style="display:none"><p>Nobody keeps it now.</p></div></div>
<div class="picture">First picture.</div><div class="picture" style="display:none">Second picture.</div>
<details><summary>Visits</summary><p>Open on Sundays.</p></details>
<div data-tab="3" style="display:none"><p>Boats leave at nine.</p></div>
<dl><dt><button aria-expanded="false" aria-controls="a1">May I climb it?</button></dt>
<dd id="a1" hidden>There are two hundred steps.</dd></dl>
<p>The rest of the text is long.</p><div id="more" style="display:none"><p>And here it ends.</p></div>
<p hidden="until-found">Found by a search.</p>
<table><tr><th>Year</th><th>Keeper</th></tr><tr style="display:none"><td>1901</td><td>Olsen</td></tr>
<tr><td>1920</td><td>Berg</td></tr></table>
<div aria-hidden="true">${long}</div>
</main></body></html>`

const unready = `<!doctype html><html><head><title>App</title></head><body><p>Loading</p>
<div id="app" style="display:none">${`<p>${sentence}</p>`.repeat(4)}</div></body></html>`

let site: Site
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/lighthouse': (exchange) => sendHtml(exchange, lighthouse),
      '/unready': (exchange) => sendHtml(exchange, unready),
    },
  })
})
afterAll(() => site.stop())

const read = async (path: string, options: object): Promise<Json> => {
  const { body } = await scrape({
    url: site.url + path,
    formats: ['markdown', 'html'],
    fastMode: true,
    ...options,
  })
  expect(body.error).toBeUndefined()
  return body.data
}

describe.each([{ onlyMainContent: true }, { onlyMainContent: false }])('hidden text with %o', (options) => {
  it('is omitted if it is not part of the page', async () => {
    const { markdown, html } = await read('/lighthouse', options)
    for (const text of ['Secret', '¶', '★', 'home_icon']) {
      expect(markdown).not.toContain(text)
      expect(html).not.toContain(text)
    }
    expect(markdown).not.toContain('arrow_forward')
    expect(markdown).toContain('−5 degrees')
  })

  it('is kept if a reader can open it, or if it is behind a dialog', async () => {
    const { markdown } = await read('/lighthouse', options)
    const panels = ['Today the lamp is electric.', 'It is forty metres high.', 'Nobody keeps it now.']
    const others = ['Second picture.', 'Open on Sundays.', 'Boats leave at nine.', 'Found by a search.']
    const answers = ['May I climb it?', 'There are two hundred steps.', 'And here it ends.']
    for (const text of [...panels, ...others, ...answers, '| 1901 | Olsen |', 'behind a dialog']) {
      expect(markdown).toContain(text)
    }
  })

  it('is kept if it is the main content', async () => {
    const { markdown } = await read('/unready', options)
    expect(markdown).toContain(sentence)
  })
})

it('hidden text is returned if includeTags selects it', async () => {
  const { markdown } = await read('/lighthouse', { includeTags: ['#terms'] })
  expect(markdown).toBe('Secret three.')
})
