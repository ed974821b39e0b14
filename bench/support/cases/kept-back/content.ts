import type { SupportCase } from '../../case.ts'
import { html, prose, returnsText } from '../../pages.ts'

const script = (body: string) => ({ headers: { 'content-type': 'text/javascript' }, body })

/** Cases of fetched pages whose expected content is missing from the response. */
export const contentCases: readonly SupportCase[] = [
  {
    name: 'a drawing on a canvas',
    cause: 'empty-content',
    routes: {
      '/play': html(
        'Rook',
        `<canvas id="board" width="800" height="600"></canvas><script>const c = document.getElementById('board').getContext('2d'); c.font = '30px serif'; c.fillText('White to move', 80, 90); c.fillRect(10, 10, 50, 50)</script>`,
      ),
    },
    async arrange(kit) {
      const { id, text } = await kit.scrape({ url: kit.url('/play'), waitFor: 1500 })
      kit.check('no text', text.trim().length < 10)
      return {
        question:
          'Nothing in the response except metadata. I even waited longer for the board game to render.',
        jobId: id,
        context: { tried: ['waitFor 1500'] },
      }
    },
  },
  {
    name: 'a document of blank space',
    cause: 'empty-content',
    routes: {
      '/leer': { body: '<!doctype html>\n<html>\n<head></head>\n<body>\n\n   &nbsp;\n</body>\n</html>\n' },
    },
    async arrange(kit) {
      await kit.makeUnrelatedCalls()
      const { text } = await kit.scrape({ url: kit.url('/leer') })
      kit.check('no text', text.trim() === '')
      return { question: `Warum ist das Ergebnis von ${kit.url('/leer')} leer? Es gab keine Fehlermeldung.` }
    },
  },
  {
    name: 'includeTags that match nothing',
    cause: 'excluded-content',
    acceptedCauses: ['empty-content'],
    routes: {
      '/recipes/rye': html(
        'Rye bread',
        `<article class="recipe-card"><h1>Rye bread</h1>${prose('Rye bread', 5)}<ol><li>Let the dough rest for nineteen hours.</li></ol></article>`,
      ),
    },
    async arrange(kit) {
      const { id, text } = await kit.scrape({
        url: kit.url('/recipes/rye'),
        includeTags: ['.recipe-content', '#recipe'],
      })
      kit.check('the steps are missing', !text.includes('nineteen hours'))
      return {
        question:
          'We only want the recipe so we pass includeTags, since the relaunch of the site we receive nothing at all.',
        jobId: id,
        rationale: 'An agent keeps a cook book up to date.',
      }
    },
    fix: returnsText('nineteen hours', { includeTags: ['.recipe-card'] }),
  },
  {
    name: 'a note in the margin',
    cause: 'excluded-content',
    routes: {
      '/trail': html(
        'Ridge trail',
        `<header><nav><a href="/">Trails</a> <a href="/huts">Huts</a></nav></header><main><article><h1>Ridge trail</h1>${prose('The ridge trail', 8)}</article></main><aside class="sidebar"><h3>Warnings</h3><p>The upper bridge is washed away until October.</p></aside>`,
      ),
    },
    async arrange(kit) {
      const { id, text } = await kit.scrape({ url: kit.url('/trail') })
      kit.check('the note is missing', text.includes('ridge trail') && !text.includes('washed away'))
      return { question: 'sidebar with the warnings got lost in the output. bug?', jobId: id }
    },
    fix: returnsText('washed away', { onlyMainContent: false }),
  },
  {
    name: 'a shop window in fast mode, one of a batch',
    cause: 'javascript-shell',
    routes: {
      '/clock': html('Clocks', '<div id="app"></div><script type="module" src="/main.js"></script>'),
      '/main.js': script(
        `document.querySelector('#app').innerHTML = '<h1>Cuckoo clock</h1>' + ${JSON.stringify(prose('The cuckoo clock', 4))} + '<p>Carved from limewood in Triberg.</p>'`,
      ),
    },
    async arrange(kit) {
      const { id, text } = await kit.batch({ urls: [kit.url('/clock')], fastMode: true })
      kit.check('the text is missing', !text.includes('Triberg'))
      return { question: 'batch finished, credits used, but the documents contain just a title', jobId: id }
    },
    fix: returnsText('Triberg', { fastMode: false }),
  },
  {
    name: 'stock that a script writes into a finished page',
    cause: 'javascript-shell',
    acceptedCauses: ['late-content'],
    routes: {
      '/bulbs': html(
        'Bulbs',
        `<main><h1>Tulip bulbs</h1>${prose('The tulip', 14)}<p>In stock: <span data-stock></span></p></main><script src="/stock.js"></script>`,
      ),
      '/stock.js': script(
        `document.querySelector('[data-stock]').textContent = '4711 bags in the cold house'`,
      ),
    },
    async arrange(kit) {
      await kit.makeUnrelatedCalls()
      const { id, text } = await kit.scrape({ url: kit.url('/bulbs') })
      kit.check('the stock is missing', text.includes('In stock') && !text.includes('4711'))
      return {
        question:
          'After "In stock:" there should be a number. It is in my browser (Firefox), it is not in your markdown.',
        jobId: id,
      }
    },
    fix: returnsText('4711', { waitFor: 800 }),
  },
  {
    name: 'departures after twelve seconds',
    cause: 'late-content',
    routes: {
      '/board': html(
        'Departures',
        `<main><h1>Departures</h1><div id="rows" aria-busy="true"><p>Please wait, fetching live data …</p></div></main><script>fetch('/live').then((r) => r.text()).then((t) => { document.getElementById('rows').innerHTML = t })</script>`,
      ),
      '/live': {
        afterMs: 12_000,
        body: `<table><tr><td>17:04</td><td>Varberg</td><td>Platform 3b</td></tr></table>${prose('The platform', 3)}`,
      },
    },
    async arrange(kit) {
      await kit.makeUnrelatedCalls()
      const { text } = await kit.scrape({ url: kit.url('/board'), maxAge: 0 })
      kit.check('the rows are missing', !text.includes('Varberg'))
      return {
        question: `Departure board ${kit.url('/board')}: your answer says "Please wait, fetching live data" and not one train.`,
      }
    },
    fix: returnsText('Varberg', { waitFor: 15_000 }),
  },
  {
    name: 'readings that come when one scrolls',
    cause: 'late-content',
    acceptedCauses: ['javascript-shell'],
    routes: {
      '/essay': html(
        'Essay',
        `<main><h1>On fog</h1>${prose('The fog', 40)}<section id="gauge"><h2>Readings of the week</h2></section></main><script>addEventListener('scroll', () => { if (!window.asked) { window.asked = true; fetch('/gauge').then((r) => r.text()).then((t) => document.getElementById('gauge').insertAdjacentHTML('beforeend', t)) } })</script>`,
      ),
      '/gauge':
        '<p>On Thursday the buoy off Morwenna Point saw eleven metres, on Friday forty, on Saturday the whole bay.</p>',
    },
    async arrange(kit) {
      const { id, text } = await kit.scrape({ url: kit.url('/essay'), waitFor: 2000 })
      kit.check('the readings are missing', text.includes('Readings') && !text.includes('Morwenna'))
      return {
        question:
          'The article is complete but the readings of the week below it are missing. They show up when I scroll down on the page.',
        jobId: id,
      }
    },
    fix: returnsText('Morwenna', {
      actions: [
        { type: 'scroll', direction: 'down' },
        { type: 'wait', milliseconds: 800 },
      ],
    }),
  },
  {
    name: 'consent that a server wants to see',
    cause: 'consent-wall',
    routes: {
      '/blad/*': ({ request, url }) =>
        request.headers.cookie?.includes('samtycke=ja')
          ? html('Elk', `<main><h1>Elk</h1>${prose('The elk', 5)}<p>It was last seen in Arvika.</p></main>`)
          : { status: 302, headers: { location: `/samtycke?till=${url.pathname}` } },
      '/samtycke': ({ url }) =>
        html(
          'Your choice',
          `<main><h1>Before you continue</h1><p>This newspaper uses cookies and similar techniques to collect personal data. Read about it in our policy and make your choice.</p><form action="/choose"><input type="hidden" name="to" value="${url.searchParams.get('till')}"><button id="go" class="btn-yes">To the paper</button></form></main>`,
        ),
      '/choose': ({ url }) => ({
        status: 302,
        headers: { location: url.searchParams.get('to') ?? '/', 'set-cookie': 'samtycke=ja; Path=/' },
      }),
    },
    async arrange(kit) {
      const { id, text } = await kit.scrape({ url: kit.url('/blad/elk') })
      kit.check('the article is missing', !text.includes('Arvika'))
      return { question: 'All I see is "Before you continue". Where is my article about the elk?', jobId: id }
    },
    fix: returnsText('Arvika', {
      actions: [
        { type: 'click', selector: '#go' },
        { type: 'wait', milliseconds: 1000 },
      ],
    }),
  },
  {
    name: 'Cyrillic letters under another name',
    cause: 'wrong-charset',
    routes: {
      '/skazka': {
        headers: { 'content-type': 'text/html; charset=windows-1252' },
        body: '<html lang="ru"><head><meta http-equiv="Content-Type" content="text/html; charset=windows-1252"><title>Сказка</title></head><body><main><h1>Сказка о золотой рыбке</h1><p>Жил старик со своею старухой у самого синего моря; они жили в ветхой землянке ровно тридцать лет и три года.</p><p>Старик ловил неводом рыбу, старуха пряла свою пряжу.</p></main></body></html>',
      },
    },
    async arrange(kit) {
      const { id, text } = await kit.scrape({ url: kit.url('/skazka') })
      kit.check('the letters are wrong', text.length > 20 && !text.includes('старик'))
      return {
        question: 'Text is unreadable: Ð¡ÐºÐ°Ð·ÐºÐ° and so on. Does the service not support Russian?',
        jobId: id,
      }
    },
  },
  {
    name: 'accents that were lost',
    cause: 'wrong-charset',
    routes: {
      '/carte': {
        body: Buffer.from(
          '<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>La carte</title></head><body><main><h1>La carte du soir</h1><p>Crème brûlée, pâté en croûte, gâteau à la châtaigne, thé glacé. Le chef prépare tout lui-même, été comme hiver.</p></main></body></html>',
          'latin1',
        ),
      },
    },
    async arrange(kit) {
      const { id, text } = await kit.scrape({ url: kit.url('/carte'), formats: ['markdown', 'html'] })
      kit.check('the letters are wrong', !text.includes('brûlée'))
      return {
        question: 'In the menu every é and û is a black diamond. The other sites of this chain are fine.',
        jobId: id,
      }
    },
  },
]
