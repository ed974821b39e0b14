import { frame } from '../frame.ts'
import { good, otherGoods } from '../goods.ts'
import { html, json } from '../html.ts'
import { addDays, day, dayInDigits, figure } from '../locale.ts'
import { job, otherJobs } from '../posts.ts'
import { date, email, integer, number, object, text } from '../schema.ts'
import { present } from '../template.ts'
import { company, phone, slug } from '../words.ts'
import { type LearnedSite, ld } from './site.ts'

const partsShop: LearnedSite = {
  name: 'ersatzteile',
  schema: object({
    artikel: text('Bezeichnung'),
    teilenummer: text(),
    preis: number('Preis in Euro'),
    altpreis: number('früherer Preis'),
    lagerbestand: integer('Stück auf Lager'),
    passend_fuer: text('Gerät, für das es passt'),
  }),
  page(random) {
    const it = good(random, 'de')
    const name = `${random.pick(['Dichtung', 'Motor', 'Netzteil', 'Schalter', 'Filter'])} ${random.pick(['links', 'kurz', 'Typ B', '12 V'])}`
    const stock = random.chance(0.8) ? random.integer(1, 240) : undefined
    const device = random.pick(['Brandt W 300', 'Kluge Mix 2', 'Ostwerk Turbo'])
    const page = {
      skin: 'bootstrap',
      language: 'de',
      site: 'Teilelager',
      title: `${name} - Teilelager`,
      nav: ['Geräte', 'Marken', 'Konto'],
    } as const
    const others = otherGoods(random, 'de', 3)
    return {
      path: `/teil/${it.sku.toLowerCase()}`,
      expected: present({
        artikel: name,
        teilenummer: it.sku,
        preis: it.price,
        altpreis: it.was,
        lagerbestand: stock,
        passend_fuer: device,
      }),
      data: ld(
        json`{"@context":"https://schema.org","@type":"Product","name":${name},"artikel":${name},"teilenummer":${it.sku},"preis":${it.price},"altpreis":${it.was},"lagerbestand":${stock},"passend_fuer":${device}}`,
      ),
      look: (head) =>
        frame({
          ...page,
          head,
          body: html`<table class="teil"><tr><td rowspan="4"><img src="/bild/${it.sku}.jpg" alt=""></td><td class="t">${name}</td></tr><tr><td>${it.sku}</td></tr><tr><td>${device}</td></tr><tr><td class="p">${it.was && html`<s>${figure(it.was, 'de', 2)}</s> `}<b>${figure(it.price, 'de', 2)}</b> €${stock && html` <span>${stock} da</span>`}</td></tr></table><h4>Passt dazu</h4>${others.map((other) => html`<div class="t">${other.name} <b>${figure(other.price, 'de', 2)}</b> €</div>`)}`,
        }),
      newLook: (head) =>
        frame({
          ...page,
          skin: 'react',
          head,
          body: html`<div class="k-1"><p class="k-2">${device}</p><h1 class="k-3">${name}</h1><div class="k-4">${it.was && html`<del class="k-5">${figure(it.was, 'de', 2)} €</del>`}<span class="k-6">${figure(it.price, 'de', 2)} €</span></div>${stock && html`<div class="k-7">${stock} Stück</div>`}<code class="k-8">${it.sku}</code></div><div class="k-9">${others.map((other) => html`<p class="k-3">${other.name} <span class="k-6">${figure(other.price, 'de', 2)} €</span></p>`)}</div>`,
        }),
    }
  },
}

const grants: LearnedSite = {
  name: 'grant-register',
  schema: object({
    project: text('project title'),
    recipient: text('organisation that gets the money'),
    amount_eur: number(),
    start: date(),
    end: date(),
    grant_number: text(),
  }),
  page(random) {
    const project = `${random.pick(['Restoring', 'Mapping', 'Teaching', 'Digitising'])} ${random.pick(['river meadows', 'parish maps', 'coding clubs', 'dry stone walls'])}`
    const recipient = company(random, 'fr')
    const amount = random.integer(40, 9000) * 100 + random.pick([0, 50.5])
    const start = addDays('2026-02-01', random.integer(0, 200))
    const end = random.chance(0.7) ? addDays(start, random.integer(200, 900)) : undefined
    const code = `G-${random.integer(10_000, 99_999)}/26`
    const page = {
      skin: 'drupal',
      language: 'fr',
      site: 'Registre des aides',
      title: 'Registre des aides',
      nav: ['Accueil', 'Registre', 'Données ouvertes'],
    } as const
    return {
      path: `/aide/${slug(code)}`,
      expected: present({ project, recipient, amount_eur: amount, start, end, grant_number: code }),
      data: ld(
        json`{"@context":"https://schema.org","@type":"MonetaryGrant","name":${project},"project":${project},"recipient":${recipient},"amount_eur":${amount},"start":${start},"end":${end},"grant_number":${code}}`,
      ),
      look: (head) =>
        frame({
          ...page,
          head,
          body: html`<div class="fiche"><p>${code}</p><h1>${project}</h1><p>${recipient}</p><table><tr><td>${dayInDigits(start, 'fr')}</td><td>${end && dayInDigits(end, 'fr')}</td></tr></table><p>${figure(amount, 'fr', 2)} €</p><p>Plafond annuel : 900 000,00 €</p></div>`,
        }),
      newLook: (head) =>
        frame({
          ...page,
          skin: 'government',
          head,
          body: html`<h1 class="govuk-heading-l">${recipient}</h1><p class="govuk-body-l">${project}</p><ul class="govuk-list"><li>${figure(amount, 'fr', 2)} EUR</li><li>${day(start, 'fr')}${end && html` – ${day(end, 'fr')}`}</li></ul><p class="govuk-hint">${code}</p>`,
        }),
    }
  },
}

const councilJobs: LearnedSite = {
  name: 'council-jobs',
  schema: object({
    title: text(),
    team: text('department'),
    salary_from: integer('pounds a year'),
    salary_to: integer('pounds a year'),
    closes: date('closing date'),
    contact_email: email(),
    contact_phone: text(),
  }),
  page(random) {
    const it = job(random, 'en-GB')
    const team = random.pick(['Libraries', 'Highways', 'Adult Social Care', 'Revenues'])
    const mail = `${slug(team)}@westmarch.example`
    const call = random.chance(0.6) ? phone(random, 'en-GB') : undefined
    const page = {
      skin: 'government',
      language: 'en-GB',
      site: 'Westmarch Council',
      title: `${it.title} - Westmarch Council`,
      nav: ['Home', 'Jobs'],
    } as const
    const others = otherJobs(random, 'en-GB', 2).map(
      (other) => html`<p>${other.title}, £${figure(other.low, 'en-GB')}, ${day(other.closes, 'en-GB')}</p>`,
    )
    const pounds = (value: number) => `£${figure(value, 'en-GB')}`
    return {
      path: `/jobs/${slug(it.title)}`,
      expected: present({
        title: it.title,
        team,
        salary_from: it.low,
        salary_to: it.high,
        closes: it.closes,
        contact_email: mail,
        contact_phone: call,
      }),
      data: ld(
        json`{"@context":"https://schema.org","@type":"JobPosting","title":${it.title},"team":${team},"salary_from":${it.low},"salary_to":${it.high},"closes":${it.closes},"contact_email":${mail},"contact_phone":${call}}`,
      ),
      look: (head) =>
        frame({
          ...page,
          head,
          body: html`<h1>${it.title}</h1><p class="a1">${team}</p><p class="a2">${pounds(it.low)} to ${pounds(it.high)}</p><p class="a3">${day(it.closes, 'en-GB')}</p><p>${it.about}</p><p class="a4"><a href="mailto:${mail}">${mail}</a>${call && html`<br>${call}`}</p><div class="more">${others}</div>`,
        }),
      newLook: (head) =>
        frame({
          ...page,
          skin: 'bootstrap',
          head,
          body: html`<div class="hero"><span>${team}</span><h2>${it.title}</h2></div><table><tr><td>${dayInDigits(it.closes, 'en-GB')}</td><td>${pounds(it.low)}</td><td>${pounds(it.high)}</td></tr></table><p>${it.about}</p>${call && html`<p class="tel">${call}</p>`}<p class="mail">${mail}</p><aside>${others}</aside>`,
        }),
    }
  },
}

/** Values without labels, some of them absent: places are all that there is to learn. */
export const sites: LearnedSite[] = [partsShop, grants, councilJobs]
