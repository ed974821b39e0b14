import { type Routes, send, sendHtml } from '../route.ts'

interface LibraryPage {
  title: string
  text: string
  language?: string
  head?: string
  /** HTML after the text. */
  more?: string
}

const publishedTag = (date: string) => `<meta property="article:published_time" content="${date}">`
const news = (date: string) =>
  `<script type="application/ld+json">{"@type":"NewsArticle","datePublished":"${date}"}</script>`
const image = (name: string, width: number, height: number, alt: string) =>
  `<img src="/library/images/${name}.png" width="${width}" height="${height}" alt="${alt}">`

/** Pages about a harbour with different words, dates, languages, images and types. */
const pages: Record<string, LibraryPage> = {
  'guide/tides': {
    title: 'Tide tables explained',
    head: publishedTag('2024-03-05T08:00:00Z'),
    text: 'A tide table lists the times of high and low water for every day of the year. The spring tide comes two days after the full moon, and the neap tide a week later. Skippers read the table before they cross the bar.',
    more: `${image('tide-gauge', 1200, 800, 'Tide gauge on the pier')}${image('moon', 320, 200, 'The full moon')}`,
  },
  'guide/ferries': {
    title: 'Ferry timetable',
    head: publishedTag('2025-06-01T08:00:00Z'),
    text: 'The ferry to the island leaves every two hours in summer. In winter there are three departures a day. When the tide is very low, the ferry waits outside the harbour until the water has come back.',
    more: image('ferry', 800, 600, 'The ferry leaves the harbour'),
  },
  'guide/lighthouse': {
    title: 'Keeping the lighthouse',
    head: publishedTag('2023-01-15T08:00:00Z'),
    text: 'The keeper of the lighthouse cleans the lens each morning and trims the wick each night. Fog signals are tested on the first Monday of the month. Visitors climb two hundred steps to the gallery.',
  },
  'guide/lighthouse-print': {
    title: 'Keeping the lighthouse',
    head: publishedTag('2023-01-15T08:00:00Z'),
    text: 'The keeper of the lighthouse cleans the lens each morning and trims the wick each night. Fog signals are tested on the first Monday of the month. Visitors climb two hundred steps to the gallery.',
  },
  'news/storm': {
    title: 'Storm closes the harbour',
    head: news('2026-11-10T06:00:00Z'),
    text: 'The harbour was closed on Tuesday after a storm broke two moorings. The harbour master expects that ships can leave again by the end of the week. Nobody was hurt, and the ferry is safe.',
    more: image('storm', 1024, 768, 'Waves over the pier'),
  },
  'news/bridge': {
    title: 'New bridge opened',
    head: news('2022-05-20T06:00:00Z'),
    text: 'The mayor opened the new bridge between the harbour and the old town. It is forty metres long and carries bicycles only. The old bridge had been closed since the storm of 2019.',
  },
  'de/gezeiten': {
    title: 'Gezeiten an der Küste',
    language: 'de',
    text: 'Die Gezeiten bestimmen, wann Schiffe den Hafen verlassen können. Zweimal am Tag steigt das Wasser, und die Häuser am Deich liegen dann tiefer als das Meer. Fischer kennen die Zeiten auswendig.',
  },
  'ja/minato': {
    title: '港の案内',
    language: 'ja',
    text: '灯台の下に小さな港があります。漁師たちは朝早く船を出し、昼前に魚を市場へ運びます。満潮の時刻は案内所に書いてあります。夏には祭りが開かれます。',
  },
  'ar/mina': {
    title: 'دليل الميناء',
    language: 'ar',
    text: 'يقع الميناء القديم بجانب المنارة. تغادر السفن في الصباح الباكر وتعود قبل غروب الشمس. يعرف الصيادون أوقات المد والجزر جيدا.',
  },
}

const markup = ({ title, text, language = 'en', head = '', more = '' }: LibraryPage, menu = '') =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${title}</title>${head}</head>
<body><main><h1>${title}</h1><p>${text}</p>${more}${menu}</main></body></html>`

const menu = `<ul>${[...Object.keys(pages), 'files/chart.csv']
  // With the page titles as link texts, this page would match every query.
  .map((path, index) => `<li><a href="/library/${path}">Chapter ${index + 1}</a></li>`)
  .join('')}</ul>`

/** Pages for search tests, under `/library`. */
export const libraryRoutes: Routes = {
  '/library': (exchange) =>
    sendHtml(exchange, markup({ title: 'Library', text: 'Everything that we know of the coast.' }, menu)),
  '/library/:part/:name': (exchange) => {
    const { part, name } = exchange.params
    const libraryPage = pages[`${part}/${name}`]
    if (name === 'chart.csv')
      send(
        exchange.response,
        { 'content-type': 'text/csv' },
        'buoy,depth\nNorth cardinal,12\nSouth cardinal,7\n',
      )
    else if (libraryPage) sendHtml(exchange, markup(libraryPage))
    else exchange.response.writeHead(404).end('There is nothing here.')
  },
}
