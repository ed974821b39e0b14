import { frame } from '../frame.ts'
import { html, json } from '../html.ts'
import { addDays, day, dayInDigits, dayWithWeekday, figure } from '../locale.ts'
import { date, integer, list, number, object, text, url, yes } from '../schema.ts'
import { either, maybe, present, type Template } from '../template.ts'
import { city, personName, phone, slug, streetAddress } from '../words.ts'

const concert: Template = {
  name: 'concert-tailwind-fr',
  vertical: 'events',
  carrier: 'JSON-LD',
  schema: object({
    nomEvenement: text(),
    artistes: list(text(), 'artistes à l’affiche'),
    date: date(),
    heure: text('heure de début'),
    salle: text(),
    ville: text(),
    prixMin: number('prix le plus bas en euros'),
    prixMax: number('prix le plus élevé en euros'),
    genre: text('genre musical'),
    complet: yes('la date est complète'),
    affiche: url('image de l’affiche'),
  }),
  page(random, structured) {
    const artists = Array.from({ length: random.integer(1, 3) }, () => personName(random, 'fr'))
    const name = random.pick(['Les Nuits du Port', 'Soirée Cordes & Voix', 'Festival des Collines'])
    const on = addDays('2026-05-01', random.integer(0, 180))
    const hour = random.pick(['20 h 30', '19 h', '21 h'])
    const hall = random.pick(['Le Grand Mix', 'Salle Messiaen', 'La Belle Électrique'])
    const town = city(random, 'fr')
    const low = random.pick([12, 18.5, 24])
    const high = random.chance(0.6) ? low + random.integer(5, 30) : undefined
    const genre = random.pick(['Chanson', 'Jazz', 'Musique classique'])
    const isFull = random.chance(0.3)
    const poster = `https://media.billets.example/affiches/${slug(name)}-${random.integer(1, 99)}.webp`
    const ld = json`{"@context":"https://schema.org","@type":"MusicEvent","name":${name},"image":[${poster}],"startDate":${on},"location":{"@type":"MusicVenue","name":${hall},"address":{"@type":"PostalAddress","addressLocality":${town}}},"performer":${artists.map((artist) => json`{"@type":"Person","name":${artist}}`)},"offers":{"@type":"Offer","price":${low},"priceCurrency":"EUR","availability":${`https://schema.org/${isFull ? 'SoldOut' : 'InStock'}`}}}`
    const body = html`<div class="relative overflow-hidden rounded-2xl"><img class="w-full object-cover aspect-video" src="${poster}" alt=""><span class="absolute top-3 left-3 bg-white/80 px-2 py-1 text-xs uppercase">${genre}</span></div><h1 class="mt-6 text-4xl font-black">${name}</h1><p class="mt-1 text-lg text-zinc-500">avec ${artists.join(', ')}</p>
<div class="mt-6 grid grid-cols-3 gap-4 text-sm"><div class="p-4 rounded-xl bg-zinc-100"><div class="text-zinc-400">Quand ?</div><div class="font-medium">${dayWithWeekday(on, 'fr')} à ${hour}</div></div><div class="p-4 rounded-xl bg-zinc-100"><div class="text-zinc-400">Où ?</div><div class="font-medium">${hall}</div><div>${town}</div></div><div class="p-4 rounded-xl bg-zinc-100"><div class="text-zinc-400">Tarifs</div><div class="font-medium">${high ? `de ${figure(low, 'fr', 2)} € à ${figure(high, 'fr', 2)} €` : `${figure(low, 'fr', 2)} €`}</div></div></div>
${isFull ? html`<div class="mt-6 text-red-600 font-bold">COMPLET</div>` : html`<button class="mt-6 w-full rounded-full bg-black text-white py-3">Réserver</button>`}<p class="mt-6 leading-relaxed">Une soirée unique au bord de l’eau. Ouverture des portes une heure avant le concert. Les enfants de moins de 6 ans ne sont pas admis.</p>`
    const side = html`<div class="font-bold">À l’affiche aussi</div>${[1, 2, 3].map((step) => html`<a href="#" class="block p-3 rounded-lg border"><div>${personName(random, 'fr')}</div><div class="text-xs">${day(addDays(on, step * 5), 'fr', { day: 'numeric', month: 'short' })} – Zénith</div><div class="text-xs">dès ${random.integer(15, 60)} €</div></a>`)}`
    return {
      path: `/evenements/${slug(name)}-${on}`,
      html: frame({
        skin: 'tailwind',
        language: 'fr',
        site: 'Billets & Scènes',
        title: `${name} | ${town} | Billets & Scènes`,
        body,
        side,
        nav: ['Concerts', 'Théâtre', 'Carte cadeau'],
        head: structured.jsonLd(ld),
      }),
      expected: present({
        ...{
          nomEvenement: name,
          artistes: artists,
          date: on,
          heure: hour,
          salle: hall,
          ville: town,
          prixMin: low,
          prixMax: high ?? maybe(low),
        },
        ...{ genre, complet: isFull || maybe(false), affiche: poster },
      }),
    }
  },
}

const municipal: Template = {
  name: 'ayuntamiento-2005-es',
  vertical: 'events',
  carrier: 'microdata',
  schema: object({
    actividad: text('nombre de la actividad'),
    fecha_inicio: date(),
    fecha_fin: date(),
    horario: text(),
    lugar: text(),
    direccion: text('dirección'),
    precio: number('precio en euros'),
    plazas: integer('número de plazas'),
    telefono: text('teléfono de información'),
    edad_minima: integer('edad mínima'),
  }),
  page(random, structured) {
    const name = random.pick([
      'Taller de cerámica',
      'Curso de fotografía nocturna',
      'Campamento urbano',
      'Ruta guiada por la muralla',
    ])
    const from = addDays('2026-04-06', random.integer(0, 150))
    const to = addDays(from, random.integer(4, 40))
    const hours = random.pick(['de 17:00 a 19:00 h', 'de 10:30 a 13:00 h', 'sábados de 9:00 a 14:00 h'])
    const place = random.pick(['Casa de Cultura', 'Centro Cívico Río', 'Biblioteca Municipal'])
    const address = streetAddress(random, 'es')
    const price = random.chance(0.6) ? random.pick([15, 32.5, 60]) : 0
    const places = random.chance(0.7) ? random.integer(10, 40) : undefined
    const contact = phone(random, 'es')
    const age = random.chance(0.4) ? random.pick([6, 12, 16]) : undefined
    const row = (label: string, value: string, attributes = '') =>
      html`<tr><td align="right" class="etiqueta"><b>${label}</b></td><td${attributes && structured.attributes(attributes)}>${value}</td></tr>`
    const body = html`<div${structured.attributes('itemscope itemtype="http://schema.org/Event"')}><h3${structured.attributes('itemprop="name"')}>${name}</h3>${structured.block(html`<meta itemprop="startDate" content="${from}"><meta itemprop="endDate" content="${to}">`)}<table width="100%" cellpadding="2" border="0">
${row('Fechas', `Del ${day(from, 'es', { day: 'numeric', month: 'long' })} al ${day(to, 'es')}`)}${row('Horario', hours)}${row('Lugar', place, 'itemprop="location"')}${row('Dirección', address)}${row('Precio', price ? `${figure(price, 'es', 2)} euros` : 'Gratuito')}${places && row('Plazas', `${places} (por orden de inscripción)`)}${age && row('Edad', `a partir de ${age} años`)}${row('Información', `Tel. ${contact}`)}</table>
<p>Inscripciones en el registro general hasta completar aforo. Documento publicado el ${dayInDigits('2026-02-20', 'es')}.</p></div>`
    const side = html`<b>Agenda</b><br>${['Cine de verano', 'Feria del libro', 'Pleno ordinario'].map((other) => html`${dayInDigits(addDays(from, random.integer(2, 30)), 'es')}<br><a href="#">${other}</a><br>`)}<b>Teléfonos</b><br>Policía local 092<br>Ayuntamiento ${phone(random, 'es')}`
    return {
      path: `/agenda.asp?id=${random.integer(100, 4000)}`,
      html: frame({
        skin: 'tables',
        language: 'es',
        site: 'Ayuntamiento de Villarroya',
        title: 'Ayuntamiento de Villarroya - Agenda',
        body,
        side,
        nav: ['Inicio', 'Trámites', 'Agenda', 'Mapa web'],
      }),
      expected: present({
        ...{
          actividad: name,
          fecha_inicio: from,
          fecha_fin: to,
          horario: hours,
          lugar: place,
          direccion: address,
        },
        ...{ precio: price || maybe(0), plazas: places, telefono: contact, edad_minima: age },
      }),
    }
  },
}

const seminar: Template = {
  name: 'seminar-ja',
  vertical: 'events',
  carrier: 'JSON-LD',
  schema: object({
    title: text('セミナー名'),
    event_date: date('開催日'),
    start_time: text('HH:MM'),
    end_time: text('HH:MM'),
    venue: text('会場'),
    capacity: integer('定員'),
    fee_yen: integer('参加費(円)'),
    speaker: text('講師'),
    registration_deadline: date('申込締切'),
    online_available: yes('オンライン参加の可否'),
  }),
  page(random, structured) {
    const title = random.pick([
      '中小企業のための電子帳簿入門',
      '春の園芸講座',
      'データ分析基礎セミナー',
      '英語多読ワークショップ',
    ])
    const on = addDays('2026-04-10', random.integer(0, 200))
    const start = random.pick(['13:30', '10:00', '18:00'])
    const end = random.pick(['20:00', '21:00'])
    const venue = `${city(random, 'ja')}${random.pick(['文化会館', '産業センター 3階', '中央図書館'])}`
    const capacity = random.chance(0.7) ? random.integer(2, 12) * 10 : undefined
    const fee = random.chance(0.6) ? random.pick([1000, 3300, 5500]) : 0
    const speaker = personName(random, 'ja')
    const deadline = random.chance(0.6) ? addDays(on, -7) : undefined
    const isOnline = random.chance(0.5)
    const ld = json`{"@context":"https://schema.org","@type":"EducationEvent","name":${title},"startDate":${`${on}T${start}:00+09:00`},"endDate":${`${on}T${end}:00+09:00`},"location":{"@type":"Place","name":${venue}},"performer":{"@type":"Person","name":${speaker}}}`
    const term = (label: string, value: string) => html`<dt>${label}</dt><dd>${value}</dd>`
    const body = html`<h1 class="ttl">${title}</h1><p class="lead">実務にすぐ役立つ内容を、初めての方にもわかりやすく解説します。</p><dl class="detail">${term('開催日時', `${day(on, 'ja', { year: 'numeric', month: 'long', day: 'numeric', weekday: 'short' })} ${start}〜${end}`)}${term('会場', isOnline ? `${venue}(オンライン同時配信あり)` : venue)}${term('講師', `${speaker} 氏`)}${capacity && term('定員', `${capacity}名(先着順)`)}${term('参加費', fee ? `${figure(fee, 'ja')}円(税込)` : '無料')}${deadline && term('申込締切', day(deadline, 'ja'))}</dl><p>お申し込み後のキャンセルはご遠慮ください。</p>
<h2>近日開催のセミナー</h2><ul>${[1, 2, 3].map((step) => html`<li><a href="#">${dayInDigits(addDays(on, step * 4), 'ja')} ${random.pick(['相続税入門', '写真撮影講座', 'Excel実践'])}</a>(定員${random.integer(2, 9)}0名)</li>`)}</ul>`
    return {
      path: `/seminar/${random.integer(1000, 9999)}.html`,
      html: frame({
        skin: 'bootstrap',
        language: 'ja',
        site: 'まなびの広場',
        title: `${title}|まなびの広場`,
        body,
        nav: ['講座一覧', 'アクセス', 'よくある質問'],
        head: structured.jsonLd(ld),
      }),
      expected: present({
        ...{
          title,
          event_date: on,
          start_time: start,
          end_time: end,
          venue,
          capacity,
          fee_yen: fee || maybe(0),
        },
        ...{
          speaker: either(speaker, `${speaker} 氏`),
          registration_deadline: deadline,
          online_available: isOnline || maybe(false),
        },
      }),
    }
  },
}

export const events = [concert, municipal, seminar]
