import { frame } from '../frame.ts'
import { html, json } from '../html.ts'
import { addDays, dayInDigits, figure } from '../locale.ts'
import { times } from '../random.ts'
import { date, email, integer, list, object, text } from '../schema.ts'
import { otherTitles, thread } from '../talk.ts'
import { either, present, type Template } from '../template.ts'
import { personName, phone, slug } from '../words.ts'

const programme: Template = {
  name: 'conference-programme',
  vertical: 'listings',
  carrier: 'JSON-LD',
  schema: object({
    conference: text(),
    sessions: list(
      object({ start: text('HH:MM'), end: text('HH:MM'), title: text(), speaker: text(), room: text() }),
      'talks, without breaks',
    ),
  }),
  page(random, structured) {
    const name = random.pick(['SlowData 2026', 'PeatConf 12', 'Hallow Hill Symposium'])
    const rooms = ['Main Hall', 'Room B', 'Greenhouse']
    const rows = times(random.integer(6, 9), (place) => ({
      start: `${String(9 + place).padStart(2, '0')}:00`,
      end: `${String(9 + place).padStart(2, '0')}:45`,
      title: `${random.pick(['Living with', 'Beyond', 'Lessons from', 'The cost of'])} ${random.pick(['small indexes', 'wet bogs', 'late data', 'quiet servers', 'paper maps'])}`,
      speaker: random.chance(0.9) ? personName(random, 'en-GB') : undefined,
      room: random.pick(rooms),
    }))
    const ld = json`{"@context":"https://schema.org","@type":"Event","name":${name},"startDate":"2026-06-18","subEvent":${rows.map((row) => json`{"@type":"Event","name":${row.title},"startDate":${`2026-06-18T${row.start}:00`},"endDate":${`2026-06-18T${row.end}:00`},"location":${row.room},"performer":${row.speaker}}`)}}`
    const body = html`<h1>${name}: Programme</h1><h2>Thursday 18 June</h2><div class="schedule">${rows.map((row, place) => html`<div class="schedule-item"><div class="schedule-time"><time>${row.start}</time> – <time>${row.end}</time></div><div class="schedule-body"><h3>${row.title}</h3>${row.speaker && html`<p class="by">${row.speaker}</p>`}<span class="badge">${row.room}</span></div></div>${place === 3 && html`<div class="schedule-item schedule-break"><div class="schedule-time">${row.end}</div><div class="schedule-body">Lunch break</div></div>`}`)}</div><h2>Sponsors</h2><ul><li>Brightwater Energy</li><li>Tessellate</li></ul>`
    return {
      path: '/2026/programme/',
      html: frame({
        skin: 'bootstrap',
        language: 'en-GB',
        site: name,
        title: `Programme – ${name}`,
        body,
        nav: ['Programme', 'Speakers', 'Tickets from £120', 'Venue'],
        head: structured.jsonLd(ld),
      }),
      expected: { conference: name, sessions: rows.map((row) => present(row)) },
    }
  },
}

const directory: Template = {
  name: 'directory-dl-es',
  vertical: 'listings',
  carrier: 'microdata',
  schema: object({
    personas: list(
      object({ nombre: text(), cargo: text(), telefono: text(), correo: email() }),
      'personas del directorio',
    ),
  }),
  page(random, structured) {
    const rows = times(random.integer(6, 10), () => {
      const nombre = personName(random, 'es')
      return {
        nombre,
        cargo: random.pick(['Concejala de Cultura', 'Secretario', 'Técnica de Urbanismo', 'Archivero']),
        telefono: phone(random, 'es'),
        correo: random.chance(0.7) ? `${slug(nombre).split('-')[0]}@villarroya.example` : undefined,
      }
    })
    const body = html`<h1>Directorio municipal</h1><dl class="directorio">${rows.map((row) => html`<dt${structured.attributes('itemscope itemtype="http://schema.org/Person"')}><strong${structured.attributes('itemprop="name"')}>${row.nombre}</strong></dt><dd>${row.cargo}</dd><dd>Tel.: ${row.telefono}</dd>${row.correo && html`<dd><a href="mailto:${row.correo}">${row.correo}</a></dd>`}`)}</dl><p>Horario de atención: de lunes a viernes, de 9:00 a 14:00.</p>`
    return {
      path: '/directorio',
      html: frame({
        skin: 'drupal',
        language: 'es',
        site: 'Ayuntamiento de Villarroya',
        title: 'Directorio | Ayuntamiento de Villarroya',
        body,
        nav: ['Inicio', 'Trámites', 'Directorio'],
        side: html`<h2>Urgencias</h2><p>112</p>`,
      }),
      expected: { personas: rows.map((row) => present(row)) },
    }
  },
}

const forumIndex: Template = {
  name: 'forum-index-fr',
  vertical: 'listings',
  carrier: 'Open Graph',
  schema: object({
    forum: text(),
    sujets: list(
      object({
        titre: text(),
        auteur: text(),
        reponses: integer(),
        vues: integer(),
        dernier_message: date(),
      }),
    ),
  }),
  page(random, structured) {
    const titles = [
      ...otherTitles(random, 'fr'),
      'Présentez-vous ici',
      'Perceuse à colonne : avis ?',
      'Vends établi en hêtre',
      'Charte du forum',
    ]
    const rows = titles.map((titre) => ({
      titre,
      auteur: thread(random, 'fr').posts[0]?.user ?? '',
      reponses: random.integer(0, 140),
      vues: random.integer(40, 21_000),
      dernier_message: addDays('2026-02-01', random.integer(0, 100)),
    }))
    const body = html`<h2>Atelier bois</h2><table class="forumline" width="100%" cellspacing="1" cellpadding="4" border="0"><tr><th colspan="2">Sujets</th><th>Auteur</th><th>Réponses</th><th>Vus</th><th>Dernier message</th></tr>${rows.map((row, place) => html`<tr><td class="row1"><img src="folder.gif" alt=""></td><td class="row1"><span class="topictitle">${place === 6 && html`<b>Note:</b> `}<a href="viewtopic.php?t=${place}">${row.titre}</a></span></td><td class="row2" align="center"><span class="name">${row.auteur}</span></td><td class="row2" align="center">${row.reponses}</td><td class="row2" align="center">${figure(row.vues, 'fr')}</td><td class="row3" align="center"><span class="postdetails">${dayInDigits(row.dernier_message, 'fr')} 18:4${place}<br><a href="#">old_tom</a></span></td></tr>`)}<tr><td class="catBottom" colspan="6">Afficher les sujets depuis: <select><option>Tous</option></select></td></tr></table>`
    return {
      path: '/viewforum.php?f=12',
      html: frame({
        skin: 'tables',
        language: 'fr',
        site: 'BricoForum',
        title: 'BricoForum :: Atelier bois',
        body,
        nav: ['FAQ', 'Rechercher', 'Membres'],
        head: structured.meta(['og:title', 'Atelier bois']),
      }),
      expected: { forum: either('Atelier bois', 'BricoForum'), sujets: rows },
    }
  },
}

export const tables = [programme, directory, forumIndex]
