import type { SupportCase } from '../../case.ts'
import { html, prose, returnsText } from '../../pages.ts'

/** Cases of fetched pages whose expected content is missing from the response. */
export const contentCases: readonly SupportCase[] = [
  {
    name: 'a server that answers with an empty body',
    cause: 'empty-content',
    routes: { '/products/kettle': { body: '' } },
    async arrange(kit) {
      const { id, status, text } = await kit.scrape({ url: kit.url('/products/kettle') })
      kit.check('no text', status === 200 && text.trim() === '')
      return { question: 'My scrape succeeded but markdown is just an empty string. Why?', jobId: id }
    },
  },
  {
    name: 'a page of pictures alone',
    cause: 'empty-content',
    routes: {
      '/gallery': html('', '<div class="wall"><img src="/a.jpg"><img src="/b.jpg"><img src="/c.jpg"></div>'),
      '/*': { headers: { 'content-type': 'image/png' }, body: Buffer.alloc(64) },
    },
    async arrange(kit) {
      const { id, text } = await kit.scrape({ url: kit.url('/gallery'), formats: ['markdown', 'links'] })
      kit.check('no words', text.replace(/!\[[^\]]*\]\([^)]*\)/g, '').trim() === '')
      return {
        question: 'We get no usable text for the gallery of our client, only nothing. Is the scraper broken?',
        rationale: 'The end user builds a search index and needs words for every page.',
        jobId: id,
      }
    },
  },
  {
    name: 'excludeTags that take everything',
    cause: 'excluded-content',
    acceptedCauses: ['empty-content'],
    routes: {
      '/guide': html(
        'Guide',
        `<div class="layout"><div class="text"><h1>Kiln guide</h1>${prose('The kiln')}<p>Fire it at 1240 degrees.</p></div></div>`,
      ),
    },
    async arrange(kit) {
      await kit.makeUnrelatedCalls()
      const { id, text } = await kit.scrape({ url: kit.url('/guide'), excludeTags: ['nav', 'div', 'footer'] })
      kit.check('the text is missing', !text.includes('1240 degrees'))
      return { question: 'markdown is empty although the page has lots of text in the browser', jobId: id }
    },
    fix: returnsText('1240 degrees', { excludeTags: ['nav', 'footer'] }),
  },
  {
    name: 'opening hours in the footer',
    cause: 'excluded-content',
    routes: {
      '/about': html(
        'Bakery',
        `<header><a href="/">Home</a></header><main><article><h1>Our bakery</h1>${prose('The bakery')}</article></main><footer><h2>Opening hours</h2><p>Tuesday to Saturday, 6:45 to 13:15.</p><p>Mill Lane 4</p></footer>`,
      ),
    },
    async arrange(kit) {
      await kit.makeUnrelatedCalls()
      const { text } = await kit.scrape({ url: kit.url('/about') })
      kit.check('the hours are missing', text.includes('The bakery') && !text.includes('6:45'))
      return {
        question: `I scraped ${kit.url('/about')} and the opening hours at the bottom of the page are not in the markdown. How do I get them?`,
      }
    },
    fix: returnsText('6:45', { onlyMainContent: false }),
  },
  {
    name: 'an app in fast mode',
    cause: 'javascript-shell',
    routes: {
      '/app': html(
        'Dashboard',
        `<div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript><script>document.getElementById('root').innerHTML = '<main><h1>Tariffs</h1>' + ${JSON.stringify(prose('The tariff', 4))} + '<p>The night tariff is 18 cents.</p></main>'</script>`,
      ),
    },
    async arrange(kit) {
      const { id, text } = await kit.scrape({ url: kit.url('/app'), fastMode: true })
      kit.check('the text is missing', !text.includes('18 cents'))
      return { question: 'The result only says that I should enable JavaScript. What can I do?', jobId: id }
    },
    fix: returnsText('18 cents', { fastMode: false }),
  },
  {
    name: 'a table that a script fills into a long page',
    cause: 'javascript-shell',
    acceptedCauses: ['late-content'],
    routes: {
      '/ferry': html(
        'Ferry',
        `<main><h1>The island ferry</h1>${prose('The island ferry', 12)}<h2>Prices</h2><div id="prices"></div></main><script src="/prices.js" defer></script>`,
      ),
      '/prices.js': {
        headers: { 'content-type': 'text/javascript' },
        body: `document.getElementById('prices').innerHTML = '<table><tr><th>Who</th><th>Fare</th></tr><tr><td>Cyclists</td><td>11.40 crowns</td></tr></table>'`,
      },
    },
    async arrange(kit) {
      const { id, text } = await kit.scrape({ url: kit.url('/ferry') })
      kit.check('the fares are missing', text.includes('Prices') && !text.includes('11.40'))
      return {
        question:
          'The heading "Prices" is in the markdown but the price table below it is missing. I can see it in Chrome.',
        jobId: id,
        context: { url: kit.url('/ferry'), expected: 'table with fares' },
      }
    },
    fix: returnsText('11.40', { waitFor: 1000 }),
  },
  {
    name: 'results that take nine seconds',
    cause: 'late-content',
    routes: {
      '/results': html(
        'Results',
        `<div id="app"><p>Loading results…</p></div><script>setTimeout(() => { document.getElementById('app').innerHTML = '<main><h1>Results</h1><p>Lane four was won by Petra Holm.</p>' + ${JSON.stringify(prose('The race', 3))} + '</main>' }, 9000)</script>`,
      ),
    },
    async arrange(kit) {
      const { id, text } = await kit.scrape({ url: kit.url('/results') })
      kit.check('the results are missing', !text.includes('Petra Holm'))
      return { question: 'I only get "Loading results…" back, not the results', jobId: id }
    },
    fix: returnsText('Petra Holm', { waitFor: 11_000 }),
  },
  {
    name: 'reviews behind a button',
    cause: 'late-content',
    acceptedCauses: ['javascript-shell'],
    routes: {
      '/lamp': html(
        'Desk lamp',
        `<main><h1>Desk lamp</h1>${prose('The desk lamp')}<section><h2>Reviews</h2><div id="reviews"></div><button id="load-reviews" onclick="fetch('/reviews').then((r) => r.text()).then((t) => { document.getElementById('reviews').innerHTML = t })">Load reviews</button></section></main>`,
      ),
      '/reviews': '<p>“Bright enough to read by at midnight”, says Ingrid.</p>',
    },
    async arrange(kit) {
      const { id, text } = await kit.scrape({ url: kit.url('/lamp') })
      kit.check('the reviews are missing', text.includes('The desk lamp') && !text.includes('Ingrid'))
      return {
        question:
          'Reviews of the product are missing. On the site one has to press the button with id load-reviews before they load.',
        jobId: id,
      }
    },
    fix: returnsText('Ingrid', {
      actions: [
        { type: 'click', selector: '#load-reviews' },
        { type: 'wait', milliseconds: 500 },
      ],
    }),
  },
  {
    name: 'a wall that is left alone',
    cause: 'consent-wall',
    routes: {
      '/news/storm': html(
        'Storm',
        `<div id="wall" role="dialog" style="position:fixed;inset:0;background:#fff"><h2>Your privacy</h2><p>We and our 214 partners store and access cookies on your device to personalise advertising and content. You need to agree before you can read on.</p><button onclick="document.getElementById('wall').remove(); document.body.innerHTML = '<main><h1>Storm</h1>' + ${JSON.stringify(prose('The storm', 4)).replaceAll('"', '&quot;')} + '<p>The pier of Lund was closed on Friday.</p></main>'">Accept all</button></div>`,
      ),
    },
    async arrange(kit) {
      const { id, text } = await kit.scrape({ url: kit.url('/news/storm'), blockAds: false })
      kit.check('the article is missing', !text.includes('pier of Lund'))
      return { question: 'Instead of the article I get some text about partners and cookies.', jobId: id }
    },
    fix: returnsText('pier of Lund', { blockAds: true }),
  },
  {
    name: 'UTF-8 that is declared as Latin 1',
    cause: 'wrong-charset',
    routes: {
      '/karte': {
        headers: { 'content-type': 'text/html; charset=iso-8859-1' },
        body: '<!doctype html><html lang="de"><head><meta charset="iso-8859-1"><title>Karte</title></head><body><main><h1>Speisekarte</h1><p>Käsespätzle mit Röstzwiebeln, Grüne Soße, Weißwürste und Brötchen für alle Gäste im Städtchen.</p><p>Heute gibt es außerdem Schwäbische Maultaschen in der Brühe und Äpfel im Schlafrock.</p></main></body></html>',
      },
    },
    async arrange(kit) {
      const { id, text } = await kit.scrape({ url: kit.url('/karte') })
      kit.check('the letters are wrong', text.length > 20 && !text.includes('Käsespätzle'))
      return { question: 'Umlauts come out as garbage like KÃ¤sespÃ¤tzle, what is going on?', jobId: id }
    },
  },
  {
    name: 'Japanese letters that are declared as UTF-8',
    cause: 'wrong-charset',
    routes: {
      '/haiku': {
        body: Buffer.concat([
          Buffer.from(
            '<!doctype html><html lang="ja"><head><meta charset="utf-8"><title>Haiku</title></head><body><main><h1>Haiku</h1><p>',
          ),
          // Text 古池や蛙飛びこむ水の音 in Shift_JIS.
          Buffer.from('8cc3927282e28a5e94f282d182b182de9085 82cc89b9'.replace(' ', ''), 'hex'),
          Buffer.from('</p></main></body></html>'),
        ]),
      },
    },
    async arrange(kit) {
      const { id, text } = await kit.scrape({ url: kit.url('/haiku') })
      kit.check('the letters are wrong', !text.includes('古池'))
      return { question: 'Why are there only question marks and boxes where the poem should be?', jobId: id }
    },
  },
]
