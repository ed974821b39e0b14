import type { SupportCase } from '../../case.ts'
import { html, prose, returnsResult, returnsText } from '../../pages.ts'

/** Cases of missing content in batches and crawls, with questions that contain a wrong guess. */
export const contentElsewhereCases: readonly SupportCase[] = [
  {
    name: 'one blank page in a batch of three',
    cause: 'empty-content',
    routes: {
      '/plans/a': html('Plan A', `<main><h1>Plan A</h1>${prose('The first plan')}</main>`),
      '/plans/b': '<!doctype html><html><head><!-- to do --></head><body>\n\n  </body></html>',
      '/plans/c': html('Plan C', `<main><h1>Plan C</h1>${prose('The third plan')}</main>`),
    },
    async arrange(kit) {
      const { id, body } = await kit.batch({ urls: ['a', 'b', 'c'].map((name) => kit.url(`/plans/${name}`)) })
      const blank = body.data?.filter(({ markdown }: { markdown?: string }) => !markdown?.trim()).length
      kit.check('one blank document', body.data?.length === 3 && blank === 1)
      return {
        question: 'one of my three documents have no markdown inside, maybe your proxy is banned there??',
        jobId: id,
      }
    },
  },
  {
    name: 'includeTags for the theme of last year',
    cause: 'excluded-content',
    acceptedCauses: ['empty-content'],
    routes: {
      '/posts/': html(
        'Posts',
        '<nav><a href="/posts/heron">Heron</a> <a href="/posts/otter">Otter</a></nav><div class="entry"><h1>All posts</h1></div>',
      ),
      '/posts/heron': html(
        'Heron',
        `<div class="entry"><h1>Heron</h1>${prose('The heron')}<p>It nests above lock six.</p></div>`,
      ),
      '/posts/otter': html('Otter', `<div class="entry"><h1>Otter</h1>${prose('The otter')}</div>`),
    },
    async arrange(kit) {
      const { id, text, pages } = await kit.crawl({
        url: kit.url('/posts/'),
        limit: 10,
        scrapeOptions: { includeTags: ['article.post'] },
      })
      kit.check('pages without their text', pages.length >= 2 && !text.includes('lock six'))
      return {
        question:
          'Since the redesign of our blog the crawl gives pages without text. I guess the new site needs JavaScript, how do I turn it on?',
        jobId: id,
      }
    },
    fix: returnsText('lock six', { scrapeOptions: { includeTags: ['.entry'] } }),
  },
  {
    name: 'prices in the box that a batch cuts out',
    cause: 'excluded-content',
    routes: {
      '/saddles/*': html(
        'Saddle',
        `<main><h1>Saddle</h1>${prose('The saddle')}<div class="promo box"><p>Now 249 florins, was 310.</p></div></main>`,
      ),
    },
    async arrange(kit) {
      await kit.makeUnrelatedCalls()
      const { text } = await kit.batch({
        urls: [kit.url('/saddles/1'), kit.url('/saddles/2')],
        excludeTags: ['.promo', 'aside'],
      })
      kit.check('no price', text.includes('The saddle') && !text.includes('249 florins'))
      return {
        question:
          'I run two saddles pages as batch. Description is ok but never a price. Is it cached from before we had prices?',
      }
    },
    fix: returnsText('249 florins', { excludeTags: ['aside'] }),
  },
  {
    name: 'shells that a quick batch reads',
    cause: 'javascript-shell',
    acceptedCauses: ['empty-content'],
    routes: {
      '/bus/*': html(
        'Bus',
        `<div id="app"></div><script>document.querySelector('#app').innerHTML = '<main><h1>Bus line</h1>' + ${JSON.stringify(prose('The bus line', 5))} + '<p>Last bus leaves at 23:52.</p></main>'</script>`,
      ),
    },
    async arrange(kit) {
      const { id, text } = await kit.batch({
        urls: [kit.url('/bus/4'), kit.url('/bus/9')],
        fastMode: true,
      })
      kit.check('no text', !text.includes('23:52'))
      return {
        question: 'All docs are nearly blank. Are my credits finished?',
        rationale: 'Customer is annoyed and wants the timetable of each line.',
        jobId: id,
      }
    },
    fix: returnsText('23:52', { fastMode: false }),
  },
  {
    name: 'departures that are fetched after the page',
    cause: 'late-content',
    acceptedCauses: ['javascript-shell'],
    routes: {
      '/station/oss': html(
        'Oss station',
        `<main><h1>Oss station</h1>${prose('The station', 9)}<h2>Next departures</h2><ul id="board"></ul></main><script>setTimeout(() => fetch('/board').then((r) => r.text()).then((t) => { document.getElementById('board').innerHTML = t }), 3500)</script>`,
      ),
      '/board': '<li>Platform 3: 17:41 to Nijmegen</li><li>Platform 1: 17:56 to Tilburg</li>',
    },
    async arrange(kit) {
      await kit.makeUnrelatedCalls()
      const { text } = await kit.scrape({ url: kit.url('/station/oss') })
      kit.check('no departures', text.includes('The station') && !text.includes('Nijmegen'))
      return {
        question: `${kit.url('/station/oss')} - the next departures are never included! does their robots.txt forbid them or what`,
      }
    },
    fix: returnsText('to Nijmegen', { waitFor: 5000 }),
  },
  {
    name: 'a German wall before every article of a batch',
    cause: 'consent-wall',
    routes: {
      '/artikel/*': html(
        'Artikel',
        `<div id="cmp" role="dialog" aria-modal="true" style="position:fixed;inset:0;background:#fff"><h2>Wir schätzen Ihre Privatsphäre</h2><p>Wir und unsere 188 Partner verwenden Cookies, um Inhalte und Anzeigen zu personalisieren. Bitte stimmen Sie zu, um den Artikel zu lesen.</p><button onclick="document.body.innerHTML = '<main><h1>Der Deich</h1>' + ${JSON.stringify(prose('Der Deich', 4)).replaceAll('"', '&quot;')} + '<p>Der Deich bei Husum hielt stand.</p></main>'">Alle akzeptieren</button></div>`,
        { lang: 'de' },
      ),
    },
    async arrange(kit) {
      const urls = [kit.url('/artikel/deich'), kit.url('/artikel/flut')]
      const { id, text } = await kit.batch({ urls, blockAds: false })
      kit.check('no article', !text.includes('bei Husum'))
      return {
        question: 'Why is it always the same few lines for every article, is it a caching bug?',
        jobId: id,
      }
    },
    fix: returnsText('bei Husum', { blockAds: true }),
  },
  {
    name: 'Cyrillic letters that are declared as Western',
    cause: 'wrong-charset',
    routes: {
      '/stihi/*': {
        headers: { 'content-type': 'text/html; charset=iso-8859-1' },
        body: Buffer.concat([
          Buffer.from(
            '<!doctype html><html lang="ru"><head><meta charset="iso-8859-1"><title>1</title></head><body><main><h1>1</h1><p>',
          ),
          windows1251(
            'Мороз и солнце; день чудесный! Еще ты дремлешь, друг прелестный. Пора, красавица, проснись: открой сомкнуты негой взоры.',
          ),
          Buffer.from('</p></main></body></html>'),
        ]),
      },
    },
    async arrange(kit) {
      const { id, text } = await kit.batch({ urls: [kit.url('/stihi/1'), kit.url('/stihi/2')] })
      kit.check('wrong letters', text.length > 40 && !text.includes('Мороз'))
      return { question: 'text of the poems unreadable. your parser is broken with russian?', jobId: id }
    },
  },
  {
    name: 'a form in place of every invoice',
    cause: 'login-redirect',
    routes: {
      '/invoices/*': ({ url }) => ({
        status: 303,
        headers: { location: `/session/new?return_to=${encodeURIComponent(url.pathname)}` },
      }),
      '/session/new': html(
        'Welcome back',
        '<main><h1>Welcome back</h1><form method="post"><label>Customer number <input name="number"></label><label>PIN <input type="password" name="pin"></label><button>Continue</button></form></main>',
      ),
    },
    async arrange(kit) {
      const urls = ['0441', '0442', '0443'].map((number) => kit.url(`/invoices/${number}`))
      const { id, text } = await kit.batch({ urls })
      kit.check('the form', text.includes('Welcome back') && !text.includes('0441'))
      return {
        question: 'My three invoices come as three times the same document. Do you mix up the urls?',
        jobId: id,
      }
    },
  },
  {
    name: 'articles that went out of the range',
    cause: 'soft-404',
    routes: {
      '/p/*': html(
        'Sorry',
        '<main><h1>Sorry, this product is no longer available</h1><p>It may have been removed from our range. Try the search, or see what others have bought.</p></main>',
      ),
    },
    async arrange(kit) {
      const { id, body } = await kit.batch({ urls: [kit.url('/p/8831'), kit.url('/p/9007')] })
      const statuses = body.data?.map(
        ({ metadata }: { metadata: { statusCode: number } }) => metadata.statusCode,
      )
      kit.check('status 200', statuses?.length === 2 && statuses.every((status: number) => status === 200))
      return {
        question:
          'our import of those two articles produces rubbish (no name, no price), although both calls say success',
        jobId: id,
      }
    },
  },
  {
    name: 'tabs that open by a click',
    cause: 'late-content',
    acceptedCauses: ['javascript-shell'],
    routes: {
      '/tent': html(
        'Tent',
        `<main><h1>Tent</h1>${prose('The tent', 7)}<button class="tab" data-tab="specs" onclick="document.querySelector('#panel').textContent = 'Water column: 3200 mm, weight 2.4 kg.'">Specifications</button><div id="panel"></div></main>`,
      ),
    },
    async arrange(kit) {
      const { id, text } = await kit.scrape({ url: kit.url('/tent') })
      kit.check('no specification', text.includes('The tent') && !text.includes('3200 mm'))
      return {
        question:
          'where is the water column? it shows up when i click on the tab "Specifications" in firefox',
        jobId: id,
      }
    },
    fix: returnsResult(({ text }) => text.includes('3200 mm'), {
      actions: [
        { type: 'click', selector: 'button.tab' },
        { type: 'wait', milliseconds: 300 },
      ],
    }),
  },
]

/** Encodes Russian letters in windows-1251, which Node does not support. */
function windows1251(text: string): Buffer {
  const bytes = Array.from(text, (letter) => {
    const code = letter.codePointAt(0) ?? 63
    return code >= 0x410 && code <= 0x44f ? code - 0x410 + 0xc0 : code
  })
  return Buffer.from(bytes)
}
