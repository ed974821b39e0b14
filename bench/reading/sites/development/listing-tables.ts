import { frame } from '../frame.ts'
import { html, json } from '../html.ts'
import { addDays, day } from '../locale.ts'
import { times } from '../random.ts'
import { date, integer, list, number, object, text, url } from '../schema.ts'
import { present, type Template } from '../template.ts'
import { personName, slug } from '../words.ts'

const tariffs: Template = {
  name: 'government-fees-table',
  vertical: 'listings',
  carrier: 'RDFa',
  schema: object({
    title: text(),
    effective_from: date('from when the fees apply'),
    fees: list(
      object({
        service: text(),
        online_fee_gbp: number('fee when applying online'),
        postal_fee_gbp: number('fee when applying by post'),
        processing_weeks: integer('weeks until it is done'),
      }),
    ),
  }),
  page(random, structured) {
    const services = random
      .shuffled([
        'Adult passport',
        'Child passport',
        'Driving licence renewal',
        'Boat registration',
        'Allotment permit',
        'Busking licence',
        'Scaffold permit',
        'Fishing licence',
      ])
      .slice(0, random.integer(5, 8))
    const from = random.pick(['2026-04-06', '2026-10-01'])
    const rows = services.map((service) => ({
      service,
      online: random.integer(12, 180) + random.pick([0, 0.5]),
      postal: random.chance(0.8) ? random.integer(20, 240) : undefined,
      weeks: random.integer(1, 10),
    }))
    const body = html`<h1 class="govuk-heading-l">Licence and permit fees</h1><p class="govuk-body">These fees apply from <time datetime="${from}"${structured.attributes('property="dcterms:valid"')}>${day(from, 'en-GB')}</time>. In 2024 the fees were 7% lower.</p><table class="govuk-table"><caption class="govuk-table__caption govuk-table__caption--m">Fees by service</caption><thead class="govuk-table__head"><tr class="govuk-table__row"><th scope="col" class="govuk-table__header">Service</th><th scope="col" class="govuk-table__header govuk-table__header--numeric">Online</th><th scope="col" class="govuk-table__header govuk-table__header--numeric">By post</th><th scope="col" class="govuk-table__header">Processing time</th></tr></thead><tbody class="govuk-table__body">${rows.map((row) => html`<tr class="govuk-table__row"><th scope="row" class="govuk-table__header">${row.service}</th><td class="govuk-table__cell govuk-table__cell--numeric">£${row.online.toFixed(2)}</td><td class="govuk-table__cell govuk-table__cell--numeric">${row.postal ? `£${row.postal.toFixed(2)}` : 'Not available'}</td><td class="govuk-table__cell">${row.weeks} week${row.weeks > 1 && 's'}</td></tr>`)}</tbody></table>`
    return {
      path: '/government/publications/licence-fees',
      html: frame({
        skin: 'government',
        language: 'en-GB',
        site: 'Services',
        title: 'Licence and permit fees',
        body,
        nav: ['Home', 'Licences', 'Fees'],
        side: html`<h2>Related content</h2><ul><li><a href="/pay">Pay a fee</a></li><li>Refunds: up to £50</li></ul>`,
      }),
      expected: {
        title: 'Licence and permit fees',
        effective_from: from,
        fees: rows.map((row) =>
          present({
            service: row.service,
            online_fee_gbp: row.online,
            postal_fee_gbp: row.postal,
            processing_weeks: row.weeks,
          }),
        ),
      },
    }
  },
}

const standings: Template = {
  name: 'sports-table-de',
  vertical: 'listings',
  carrier: 'JSON-LD',
  schema: object({
    liga: text('Name der Liga'),
    spieltag: integer(),
    tabelle: list(
      object({
        platz: integer(),
        verein: text(),
        spiele: integer(),
        tordifferenz: integer(),
        punkte: integer(),
      }),
    ),
  }),
  page(random, structured) {
    const league = random.pick(['Kreisliga Nord', 'Bezirksliga Elbtal', 'Verbandsliga Frauen'])
    const matchday = random.integer(6, 30)
    const clubs = random.shuffled([
      'SV Lübeck 08',
      'TuS Elbtal',
      'FC Schönfeld',
      'VfL Kassel II',
      'Blau-Weiß Mainz',
      'SpVgg Rosenweg',
      'TSV Hofmann',
      'Eintracht Ost',
      'SC Freiburg IV',
      'DJK Süd',
    ])
    const rows = clubs
      .map((club, place) => ({
        club,
        place: place + 1,
        scored: 60 - place * 4 + random.integer(0, 3),
        conceded: 18 + place * 4,
        points: matchday * 3 - place * 5 - random.integer(0, 3),
      }))
      .map((row) => ({ ...row, points: Math.max(row.points, 1), difference: row.scored - row.conceded }))
    const ld = json`{"@context":"https://schema.org","@type":"SportsOrganization","name":${league},"sport":"Fußball"}`
    const body = html`<h1>${league}: Tabelle</h1><h3>${matchday}. Spieltag</h3><table class="standard_tabelle" cellpadding="3"><tr><th>Pl.</th><th colspan="2">Verein</th><th>Sp.</th><th>S</th><th>U</th><th>N</th><th>Tore</th><th>Diff.</th><th>Pkt.</th></tr>${rows.map((row, place) => html`<tr class="${place % 2 ? 'dunkel' : 'hell'}"><td>${row.place}.</td><td><img src="/wappen/${slug(row.club)}.gif" alt=""></td><td><a href="/teams/${slug(row.club)}/">${row.club}</a></td><td align="center">${matchday}</td><td align="center">${Math.floor(row.points / 3)}</td><td align="center">${row.points % 3}</td><td align="center">${Math.max(0, matchday - Math.floor(row.points / 3) - (row.points % 3))}</td><td align="center">${row.scored}:${row.conceded}</td><td align="center">${row.difference > 0 ? `+${row.difference}` : String(row.difference).replace('-', '−')}</td><td align="center"><b>${row.points}</b></td></tr>`)}</table>
<h3>Nächste Spiele</h3><table class="standard_tabelle">${times(4, (place) => html`<tr><td>${day(addDays('2026-03-07', place), 'de', { dateStyle: 'short' })}</td><td>15:00</td><td>${clubs[place]}</td><td>-</td><td>${clubs[place + 4]}</td><td>-:-</td></tr>`)}</table>`
    return {
      path: `/tabelle/${slug(league)}/spieltag/${matchday}/`,
      html: frame({
        skin: 'bootstrap',
        language: 'de',
        site: 'amateurfussball',
        title: `${league} - ${matchday}. Spieltag`,
        body,
        nav: ['Ligen', 'Vereine', 'Tippspiel'],
        head: structured.jsonLd(ld),
      }),
      expected: {
        liga: league,
        spieltag: matchday,
        tabelle: rows.map((row) => ({
          platz: row.place,
          verein: row.club,
          spiele: matchday,
          tordifferenz: row.difference,
          punkte: row.points,
        })),
      },
    }
  },
}

const publications: Template = {
  name: 'publication-list',
  vertical: 'listings',
  carrier: 'microdata',
  schema: object({
    publications: list(
      object({
        authors: text('as printed'),
        title: text(),
        venue: text('journal or conference'),
        year: integer(),
        pdf: url('link to the PDF'),
      }),
    ),
  }),
  page(random, structured) {
    const rows = times(random.integer(7, 12), (place) => ({
      authors: times(random.integer(1, 3), () => personName(random, 'en-GB')).join(', '),
      title: `${random.pick(['A note on', 'Measuring', 'Towards', 'The limits of'])} ${random.pick(['peat subsidence', 'lazy evaluation', 'parish records', 'tidal turbines'])} ${random.pick(['in upland Britain', 'under load', 'revisited', 'at scale'])}`,
      venue: random.pick(['Journal of Hydrology', 'Proc. POPL', 'Energy Policy', 'Past & Present']),
      year: 2026 - Math.floor(place / 3),
      pdf: random.chance(0.7) ? `/papers/${2026 - Math.floor(place / 3)}-${place}.pdf` : undefined,
    }))
    const years = [...new Set(rows.map(({ year }) => year))]
    const body = html`<h1>Publications</h1>${years.map((year) => html`<h2>${year}</h2><ul class="publications">${rows.filter((row) => row.year === year).map((row) => html`<li${structured.attributes('itemscope itemtype="http://schema.org/ScholarlyArticle"')}><span class="authors"${structured.attributes('itemprop="author"')}>${row.authors}</span>. <span class="title"${structured.attributes('itemprop="name"')}>${row.title}</span>. <em>${row.venue}</em>, ${row.year}.${row.pdf && html` [<a href="${row.pdf}">PDF</a>]`} [<a href="/bib/x.bib">BibTeX</a>]</li>`)}</ul>`)}`
    return {
      path: '/group/publications.html',
      html: frame({
        skin: 'drupal',
        language: 'en-GB',
        site: 'University of Westmarch',
        title: 'Publications | Westmarch',
        body,
        nav: ['People', 'Projects', 'Publications'],
        side: html`<h2>News</h2><p>12 March 2026: paper accepted at POPL</p>`,
      }),
      expected: { publications: rows.map((row) => present(row)) },
    }
  },
}

export const tables = [tariffs, standings, publications]
