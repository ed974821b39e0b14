import { frame } from '../frame.ts'
import { html, json } from '../html.ts'
import { addDays, day, dayInDigits, dayWithWeekday, figure, money, twelveHours } from '../locale.ts'
import { date, dateTime, list, number, object, oneOf, text, url, yes } from '../schema.ts'
import { either, maybe, present, type Template } from '../template.ts'
import { city, personName, slug, streetAddress } from '../words.ts'

const calendar: Template = {
  name: 'the-events-calendar',
  vertical: 'events',
  carrier: 'JSON-LD',
  schema: object({
    eventName: text(),
    startDate: date('First day'),
    endDate: date('Last day, if it takes several days'),
    startTime: text('HH:MM, 24 hours'),
    venue: object({ name: text(), street: text(), city: text() }),
    ticketPrice: number('Price of a standard ticket in pounds'),
    organiser: text(),
    website: url('Website of the event'),
    isFree: yes(),
  }),
  page(random, structured) {
    const name = random.pick([
      'Willow Weaving Weekend',
      'Canal Jazz Night',
      'Bread Fair',
      'Seed Swap and Garden Talk',
      'Open Studios',
    ])
    const from = addDays('2026-03-02', random.integer(0, 220))
    const to = random.chance(0.4) ? addDays(from, random.integer(1, 3)) : undefined
    const time = random.pick(['10:00', '18:30', '19:45'])
    const venue = {
      name: random.pick(['The Old Tannery', 'St Mary’s Hall', 'Corn Exchange']),
      street: streetAddress(random, 'en-GB'),
      city: city(random, 'en-GB'),
    }
    const price = random.chance(0.6) ? random.pick([4, 8.5, 12, 27.5]) : 0
    const organiser = random.pick(['Riverside Arts', 'Friends of the Common', 'Hill & Vale CIC'])
    const site = random.chance(0.5) ? `https://www.${slug(name)}.example/` : undefined
    const ld = json`[{"@context":"http://schema.org","@type":"Event","name":${name},"url":${`https://whatson.example/event/${slug(name)}/`},"eventAttendanceMode":"https://schema.org/OfflineEventAttendanceMode","startDate":${`${from}T${time}:00+01:00`},"endDate":${`${to ?? from}T22:00:00+01:00`},"location":{"@type":"Place","name":${venue.name},"address":{"@type":"PostalAddress","streetAddress":${venue.street},"addressLocality":${venue.city},"addressCountry":"United Kingdom"}},"organizer":{"@type":"Person","name":${organiser}},"offers":{"@type":"Offer","price":${String(price)},"priceCurrency":"GBP"}}]`
    const day1 = day(from, 'en-GB', { day: 'numeric', month: 'long' })
    const item = (label: string, value: string | ReturnType<typeof html>) =>
      html`<dt class="tribe-events-label"> ${label}: </dt><dd>${value}</dd>`
    const body = html`<div id="tribe-events-content" class="tribe-events-single"><p class="tribe-events-back"><a href="/events/">« All Events</a></p><h1 class="tribe-events-single-event-title">${name}</h1>
<div class="tribe-events-schedule tribe-clearfix"><h2><span class="tribe-event-date-start">${to ? `${day1} @ ${time}` : `${day(from, 'en-GB')} @ ${time}`}</span> - <span class="${to ? 'tribe-event-date-end' : 'tribe-event-time'}">${to ? `${day(to, 'en-GB')} @ 22:00` : '22:00'}</span></h2><span class="tribe-events-cost">${price ? money(price, 'GBP', 'en-GB') : 'Free'}</span></div>
<div class="tribe-events-single-event-description tribe-events-content"><p>Join us for an easy-going time with tea and home-made cake. Children under 12 must be accompanied; parking costs £3 for the day.</p></div>
<div class="tribe-events-single-section tribe-events-event-meta"><div class="tribe-events-meta-group tribe-events-meta-group-details"><h2> Details </h2><dl>${to ? html`${item('Start', html`<abbr class="tribe-events-abbr" title="${from}">${day(from, 'en-GB')} @ ${time}</abbr>`)}${item('End', day(to, 'en-GB'))}` : html`${item('Date', day(from, 'en-GB'))}${item('Time', `${time} - 22:00`)}`}${item('Cost', price ? money(price, 'GBP', 'en-GB') : 'Free')}${site && item('Website', html`<a href="${site}">${site}</a>`)}</dl></div>
<div class="tribe-events-meta-group tribe-events-meta-group-organizer"><h2> Organiser </h2><dl><dd class="tribe-organizer">${organiser}</dd></dl></div><div class="tribe-events-meta-group tribe-events-meta-group-venue"><h2> Venue </h2><dl><dd class="tribe-venue">${venue.name}</dd><dd class="tribe-venue-location"><address class="tribe-events-address"><span class="tribe-street-address">${venue.street}</span><br><span class="tribe-locality">${venue.city}</span>, <span class="tribe-country-name">United Kingdom</span></address></dd></dl></div></div></div>`
    const side = html`<div class="tribe-mini"><h3>Upcoming Events</h3>${['Quiz Night', 'Repair Café', 'Choir Rehearsal'].map((other) => html`<div><h4><a href="/event/${slug(other)}/">${other}</a></h4><div class="duration">${day(addDays(from, random.integer(1, 30)), 'en-GB', { day: 'numeric', month: 'long' })} @ 19:00</div></div>`)}</div>`
    return {
      path: `/event/${slug(name)}/`,
      html: frame({
        skin: 'wordpress',
        language: 'en-GB',
        site: 'What’s On Vale',
        title: `${name} – What’s On Vale`,
        body,
        side,
        nav: ['Events', 'Venues', 'Submit an event'],
        head: structured.jsonLd(ld),
      }),
      expected: present({
        ...{
          eventName: name,
          startDate: from,
          endDate: to ?? maybe(from),
          startTime: time,
          venue,
          ticketPrice: price || maybe(0),
        },
        ...{ organiser, website: site, isFree: price ? maybe(false) : true },
      }),
    }
  },
}

const theatre: Template = {
  name: 'theater-drupal-de',
  vertical: 'events',
  carrier: 'RDFa',
  schema: object({
    titel: text('Titel der Veranstaltung'),
    datum: date(),
    beginn: text('Beginn, Uhrzeit'),
    spielstaette: text('Saal oder Bühne'),
    preise: object({ ab: number('niedrigster Preis in Euro'), bis: number('höchster Preis in Euro') }),
    regie: text(),
    besetzung: list(text(), 'Namen der Mitwirkenden'),
    dauer_minuten: number('Dauer in Minuten'),
    ausverkauft: yes(),
  }),
  page(random, structured) {
    const title = random.pick([
      'Der zerbrochne Krug',
      'Die Physiker',
      'Konzert der Jungen Philharmonie',
      'Ein Abend für Zwei',
    ])
    const on = addDays('2026-09-05', random.integer(0, 120))
    const time = random.pick(['19:30', '20:00', '18:00'])
    const hall = random.pick(['Großes Haus', 'Kammerspiele', 'Studiobühne'])
    const low = random.pick([9, 12.5, 15])
    const high = low + random.integer(10, 50)
    const regie = random.chance(0.7) ? personName(random, 'de') : undefined
    const cast = Array.from({ length: random.integer(2, 4) }, () => personName(random, 'de'))
    const minutes = random.chance(0.6) ? random.pick([75, 110, 150]) : undefined
    const isFull = random.chance(0.25)
    const field = (name: string, label: string, value: string, attributes = '') =>
      html`<div class="field field--name-field-${name} field--type-string field--label-inline clearfix"><div class="field__label">${label}</div><div class="field__item"${attributes && structured.attributes(attributes)}>${value}</div></div>`
    const body = html`<article role="article" about="/programm/${slug(title)}" class="node node--type-veranstaltung node--view-mode-full"${structured.attributes('vocab="http://schema.org/" typeof="TheaterEvent"')}><h1 class="page-title"><span class="field field--name-title"${structured.attributes('property="name"')}>${title}</span></h1><div class="node__content clearfix">
<div class="field field--name-field-termin field--label-hidden field__item"><time datetime="${on}T${time}:00+02:00" class="datetime"${structured.attributes(`property="startDate" content="${on}T${time}:00+02:00"`)}>${day(on, 'de', { weekday: 'short', day: '2-digit', month: '2-digit', year: 'numeric' })} – ${time} Uhr</time></div>
${field('ort', 'Spielstätte', hall, 'property="location"')}${regie && field('regie', 'Regie', regie, 'property="director"')}<div class="field field--name-field-besetzung field--label-above"><div class="field__label">Besetzung</div><div class="field__items">${cast.map((name) => html`<div class="field__item"${structured.attributes('property="performer"')}>${name}</div>`)}</div></div>
${minutes && field('dauer', 'Dauer', `ca. ${Math.floor(minutes / 60)} Std. ${minutes % 60} Min., eine Pause`)}${field('preis', 'Eintritt', `${figure(low, 'de', 2)} – ${figure(high, 'de', 2)} €, ermäßigt ab 7,00 €`)}
<div class="field field--name-body field__item"><p>Ein Klassiker in neuer Lesart, mit Live-Musik und einer Einführung um 19:00 Uhr im Foyer.</p></div>${isFull ? html`<span class="ticket ticket--soldout">Ausverkauft</span>` : html`<a class="ticket button" href="https://tickets.example/${slug(title)}">Karten kaufen</a>`}</div></article>`
    const side = html`<div class="views-element-container block"><h2>Nächste Vorstellungen</h2>${[1, 2, 3].map((step) => html`<div class="views-row"><time>${dayInDigits(addDays(on, step), 'de')}, 20:00 Uhr</time> <a href="#">${random.pick(['Faust', 'Nathan der Weise', 'Tosca'])}</a> <span>Kleines Haus</span></div>`)}</div>`
    return {
      path: `/programm/${slug(title)}`,
      html: frame({
        skin: 'drupal',
        language: 'de',
        site: 'Stadttheater Elbtal',
        title: `${title} | Stadttheater Elbtal`,
        body,
        side,
        nav: ['Spielplan', 'Ensemble', 'Karten', 'Haus'],
      }),
      expected: present({
        ...{
          titel: title,
          datum: on,
          beginn: either(time, `${time} Uhr`),
          spielstaette: hall,
          preise: { ab: low, bis: high },
          regie,
        },
        ...{ besetzung: cast, dauer_minuten: minutes, ausverkauft: isFull || maybe(false) },
      }),
    }
  },
}

const ticketing: Template = {
  name: 'ticketing-react',
  vertical: 'events',
  carrier: 'JSON-LD',
  schema: object({
    name: text(),
    start_datetime: dateTime('When it begins'),
    location: object({ venue: text(), address: text('Street, city and state') }),
    min_price: number('Cheapest ticket'),
    organizer_name: text(),
    refund_policy: text(),
    format: oneOf(['in_person', 'online']),
    tags: list(text()),
    agenda: list(object({ time: text(), title: text() })),
  }),
  page(random, structured) {
    const name = random.pick([
      'Founders Breakfast',
      'Intro to Letterpress',
      'Rust for Scientists',
      'Salsa Social',
    ])
    const on = addDays('2026-02-10', random.integer(0, 250))
    const time = random.pick(['08:00', '17:30', '19:00'])
    const isOnline = random.chance(0.25)
    const venue = random.pick(['The Foundry', 'Harlow Library', 'Pier 9'])
    const address = `${streetAddress(random, 'en-US')}, ${city(random, 'en-US')}`
    const price = random.pick([0, 15, 39.99, 120])
    const host = random.pick(['Open Loop Collective', 'Makers Guild', 'City Tech Hub'])
    const refund = random.chance(0.6)
      ? random.pick(['Refunds up to 7 days before event', 'No Refunds'])
      : undefined
    const tags = random.some(['Networking', 'Startups', 'Craft', 'Science', 'Dance'], 2)
    const agenda = random.chance(0.5)
      ? [
          { time: '9:00 AM', title: 'Doors open' },
          { time: '9:30 AM', title: `Welcome by ${personName(random, 'en-US')}` },
          { time: '11:00 AM', title: 'Hands-on session' },
        ]
      : undefined
    const where = isOnline
      ? json`{"@type":"VirtualLocation","url":"https://events.example/x"}`
      : json`{"@type":"Place","name":${venue},"address":{"@type":"PostalAddress","streetAddress":${address}}}`
    const ld = json`{"@context":"https://schema.org","@type":"BusinessEvent","name":${name},"startDate":${`${on}T${time}:00-05:00`},"eventAttendanceMode":${`https://schema.org/${isOnline ? 'Online' : 'Offline'}EventAttendanceMode`},"location":${where},"organizer":{"@type":"Organization","name":${host}},"offers":[{"@type":"AggregateOffer","lowPrice":${price.toFixed(2)},"priceCurrency":"USD"}]}`
    const body = html`<div class="css-e1" data-testid="event-hero"><time class="css-sd" datetime="${on}">${dayWithWeekday(on, 'en-US')}</time><h1 class="css-t1 event-title">${name}</h1><div class="css-org" data-testid="organizer">By <a href="/o/${slug(host)}">${host}</a> <span>· ${figure(random.integer(200, 9000), 'en-US')} followers</span></div></div>
<section class="css-s2" aria-label="Date and time"><h2>Date and time</h2><span class="date-info__full-datetime">${day(on, 'en-US', { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' })} ${twelveHours(time)} EST</span></section>
<section class="css-s2"><h2>Location</h2>${isOnline ? html`<p>Online</p>` : html`<p class="location-info__address-text">${venue}</p><div class="location-info__address">${address}</div><button>Show map</button>`}</section>
${refund && html`<section class="css-s2"><h2>Refund Policy</h2><div>${refund}</div></section>`}<section class="css-s2"><h2>About this event</h2><p>Come meet people who like what you like. Space is limited, last year more than 300 people came and we ran out of coffee.</p>
${agenda && html`<div data-testid="agenda"><h3>Agenda</h3>${agenda.map((slot) => html`<div class="css-ag"><p class="css-at">${slot.time}</p><p class="css-an">${slot.title}</p></div>`)}</div>`}</section><section class="css-s2"><h2>Tags</h2><ul>${tags.map((tag) => html`<li><a href="/d/${slug(tag)}">${tag}</a></li>`)}</ul></section>
<div class="css-cta" data-testid="panel-price">${price ? `From ${money(price, 'USD', 'en-US')}` : 'Free'}<button>Get tickets</button></div><section data-testid="more-events"><h2>More events from this organizer</h2>${[1, 2, 3].map((step) => html`<a href="#" class="css-card"><h3>${random.pick(['Pitch Night', 'Demo Day', 'Life Drawing'])}</h3><p>${day(addDays(on, step * 3), 'en-US', { weekday: 'short', month: 'short', day: 'numeric' })} • 6:00 PM</p><p>From $${random.integer(5, 60)}.00</p></a>`)}</section>`
    return {
      path: `/e/${slug(name)}-tickets-${random.integer(100_000_000, 999_999_999)}`,
      html: frame({
        skin: 'react',
        language: 'en-US',
        site: 'Gatherly',
        title: `${name} Tickets, ${day(on, 'en-US', { dateStyle: 'medium' })} | Gatherly`,
        body,
        nav: ['Find Events', 'Create Events', 'Log In'],
        head: html`${structured.jsonLd(ld)}${structured.meta(['og:title', name], ['event:start_time', `${on}T${time}:00-05:00`])}`,
      }),
      expected: present({
        ...{
          name,
          start_datetime: `${on}T${time}:00`,
          location: isOnline ? undefined : { venue, address },
          min_price: price || maybe(0),
        },
        ...{
          organizer_name: host,
          refund_policy: refund,
          format: isOnline ? 'online' : maybe('in_person'),
          tags,
          agenda,
        },
      }),
    }
  },
}

export const events = [calendar, theatre, ticketing]
