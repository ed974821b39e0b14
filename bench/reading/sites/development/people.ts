import { frame } from '../frame.ts'
import { html, json } from '../html.ts'
import { email, list, number, object, text, url, yes } from '../schema.ts'
import { either, maybe, present, type Template } from '../template.ts'
import { city, personName, phone, slug } from '../words.ts'

const staff: Template = {
  name: 'university-staff-drupal',
  vertical: 'people',
  carrier: 'RDFa',
  schema: object({
    fullName: text('Name without academic titles'),
    jobTitle: text(),
    department: text(),
    email: email(),
    phone: text(),
    office: text('Room and building'),
    researchInterests: list(text()),
    orcid: text('ORCID iD'),
    acceptingPhdStudents: yes(),
  }),
  page(random, structured) {
    const name = personName(random, 'en-GB')
    const title = random.pick([
      'Senior Lecturer in Soil Physics',
      'Professor of Comparative Law',
      'Research Fellow',
    ])
    const department = random.pick(['School of Environment', 'Faculty of Law', 'Department of Statistics'])
    const mail = `${slug(name).replaceAll('-', '.')}@westmarch.example`
    const call = random.chance(0.7) ? phone(random, 'en-GB') : undefined
    const room = `Room ${random.integer(1, 4)}.${random.integer(10, 48)}, ${random.pick(['Darwin Building', 'Old Library', 'North Wing'])}`
    const interests = random.some(
      ['Peat hydrology', 'Tort law', 'Bayesian methods', 'Land rights', 'Remote sensing'],
      random.integer(2, 4),
    )
    const orcid = random.chance(0.5)
      ? `0000-000${random.integer(1, 3)}-${random.integer(1000, 9999)}-${random.integer(1000, 9999)}`
      : undefined
    const open = random.chance(0.4)
    const field = (machine: string, label: string, value: ReturnType<typeof html>) =>
      html`<div class="field field--name-field-${machine} field--label-inline"><div class="field__label">${label}</div><div class="field__item">${value}</div></div>`
    const body = html`<article class="node node--type-person"${structured.attributes('vocab="http://schema.org/" typeof="Person"')}><div class="profile-header"><img src="/sites/default/files/styles/profile/public/${slug(name)}.jpg" alt="Photo of ${name}"><h1 class="page-title">${random.pick(['Dr', 'Prof', ''])} <span${structured.attributes('property="name"')}>${name}</span></h1><p class="profile-role"${structured.attributes('property="jobTitle"')}>${title}</p><p class="profile-unit"><a href="/${slug(department)}"${structured.attributes('property="affiliation"')}>${department}</a></p></div>
<div class="profile-contact"><h2>Contact</h2>${field('email', 'Email', html`<a href="mailto:${mail}"${structured.attributes('property="email"')}>${mail}</a>`)}${call && field('phone', 'Telephone', html`<span${structured.attributes('property="telephone"')}>${call}</span>`)}${field('office', 'Office', html`${room}`)}${orcid && field('orcid', 'ORCID', html`<a href="https://orcid.org/${orcid}">${orcid}</a>`)}</div>
<div class="profile-research"><h2>Research interests</h2><ul>${interests.map((interest) => html`<li>${interest}</li>`)}</ul>${open && html`<p><strong>I am currently accepting PhD students.</strong></p>`}</div><div class="profile-publications"><h2>Selected publications</h2><ol><li>${name.split(' ')[1]}, ${name[0]}. and ${personName(random, 'en-GB')} (2024) Water tables in upland bogs. <em>Journal of Hydrology</em> 611.</li></ol></div></article>`
    const side = html`<div class="block"><h2>Also in ${department}</h2>${[1, 2, 3].map(() => html`<div class="views-row"><a href="#">${personName(random, 'en-GB')}</a><span>Lecturer</span><span>${phone(random, 'en-GB')}</span></div>`)}</div>`
    return {
      path: `/people/${slug(name)}`,
      html: frame({
        skin: 'drupal',
        language: 'en-GB',
        site: 'University of Westmarch',
        title: `${name} | University of Westmarch`,
        body,
        side,
        nav: ['Study', 'Research', 'People', 'About'],
      }),
      expected: present({
        ...{
          fullName: name,
          jobTitle: title,
          department,
          email: mail,
          phone: call,
          office: room,
          researchInterests: interests,
        },
        ...{ orcid, acceptingPhdStudents: open || maybe(false) },
      }),
    }
  },
}

const attorney: Template = {
  name: 'law-firm-elementor',
  vertical: 'people',
  carrier: 'JSON-LD graph',
  schema: object({
    name: text(),
    position: text('Position in the firm'),
    practice_areas: list(text()),
    education: list(object({ degree: text(), school: text(), year: number() })),
    bar_admissions: list(text()),
    contact: object({ email: email(), direct_phone: text('Direct line'), office_city: text() }),
    linkedin: url('LinkedIn profile'),
    languages: list(text(), 'Languages spoken'),
  }),
  page(random, structured) {
    const name = personName(random, 'en-US')
    const position = random.pick(['Partner', 'Of Counsel', 'Senior Associate'])
    const areas = random.some(
      ['Estate Planning', 'Commercial Litigation', 'Tax', 'Employment Law'],
      random.integer(1, 3),
    )
    const education = [
      {
        degree: 'J.D.',
        school: random.pick(['Lakeland School of Law', 'Fairmount University']),
        year: random.integer(1992, 2016),
      },
      {
        degree: random.pick(['B.A.', 'B.S.']),
        school: random.pick(['Ashby College', 'Tilden State University']),
        year: random.integer(1986, 1991),
      },
    ]
    const bars = random.some(['Oregon', 'Washington', 'Idaho', 'U.S. Supreme Court'], 2)
    const mail = `${slug(name).split('-')[0]}@hollisgrant.example`
    const direct = phone(random, 'en-US')
    const office = city(random, 'en-US')
    const linkedin = random.chance(0.6) ? `https://www.linkedin.com/in/${slug(name)}` : undefined
    const languages = random.chance(0.5) ? ['English', random.pick(['Spanish', 'Mandarin'])] : undefined
    const base = 'https://hollisgrant.example'
    const ld = json`{"@context":"https://schema.org","@graph":[{"@type":"WebPage","@id":${`${base}/attorneys/${slug(name)}/`},"name":${`${name} - Hollis Grant LLP`},"isPartOf":{"@id":${`${base}/#website`}}},{"@type":"WebSite","@id":${`${base}/#website`},"name":"Hollis Grant LLP","publisher":{"@id":${`${base}/#organization`}}},{"@type":["Organization","LegalService"],"@id":${`${base}/#organization`},"name":"Hollis Grant LLP","telephone":"(503) 555-0100","email":"info@hollisgrant.example"},{"@type":"Person","@id":${`${base}/#person`},"name":${name},"jobTitle":${position},"email":${mail},"telephone":${direct},"worksFor":{"@id":${`${base}/#organization`}},"sameAs":${linkedin ? [linkedin] : []},"alumniOf":${education.map(({ school }) => json`{"@type":"CollegeOrUniversity","name":${school}}`)}}]}`
    const widget = (heading: string, content: ReturnType<typeof html>) =>
      html`<div class="elementor-element elementor-widget elementor-widget-heading"><h3 class="elementor-heading-title elementor-size-default">${heading}</h3></div><div class="elementor-element elementor-widget elementor-widget-text-editor"><div class="elementor-widget-container">${content}</div></div>`
    const items = (values: string[]) => html`<ul>${values.map((value) => html`<li>${value}</li>`)}</ul>`
    const body = html`<div data-elementor-type="single-post" class="elementor elementor-location-single"><section class="elementor-section"><h1 class="elementor-heading-title">${name}</h1><div class="elementor-widget-text-editor"><p>${position} | ${office}</p></div><ul class="elementor-icon-list-items"><li class="elementor-icon-list-item"><a href="tel:${direct.replace(/\D/g, '')}"><span class="elementor-icon-list-text">${direct}</span></a></li><li class="elementor-icon-list-item"><a href="mailto:${mail}"><span class="elementor-icon-list-text">${mail}</span></a></li>${linkedin && html`<li class="elementor-icon-list-item"><a href="${linkedin}"><span class="elementor-icon-list-text">LinkedIn</span></a></li>`}</ul></section>
<section class="elementor-section"><div class="elementor-widget-text-editor"><p>${name.split(' ')[0]} joined the firm in 2011 after six years with the Multnomah County District Attorney and has tried more than 40 cases.</p></div>${widget('Practice Areas', items(areas))}${widget('Education', html`<p>${education.map(({ degree, school, year }) => html`${degree}, ${school}, ${year}<br>`)}</p>`)}${widget('Bar Admissions', items(bars))}${languages && widget('Languages', html`<p>${languages.join(', ')}</p>`)}</section>
<section class="elementor-section"><h4>Related Attorneys</h4>${[1, 2, 3].map(() => html`<div class="team-card"><h5>${personName(random, 'en-US')}</h5><p>Partner</p><p>${phone(random, 'en-US')}</p></div>`)}</section></div>`
    return {
      path: `/attorneys/${slug(name)}/`,
      html: frame({
        skin: 'wordpress',
        language: 'en-US',
        site: 'Hollis Grant LLP',
        title: `${name} - Hollis Grant LLP`,
        body,
        nav: ['Practices', 'Attorneys', 'Insights', 'Offices'],
        head: html`${structured.jsonLd(ld)}${structured.meta(['og:type', 'profile'], ['og:title', `${name} - Hollis Grant LLP`])}`,
      }),
      expected: present({
        ...{
          name,
          position,
          practice_areas: areas,
          education,
          bar_admissions: bars,
          contact: { email: mail, direct_phone: direct, office_city: office },
        },
        ...{ linkedin, languages },
      }),
    }
  },
}

const lecturer: Template = {
  name: 'hochschule-tabelle-de',
  vertical: 'people',
  carrier: 'microdata',
  schema: object({
    name: text('Name mit akademischem Grad'),
    funktion: text(),
    raum: text(),
    telefon: text('Telefonnummer'),
    fax: text('Faxnummer'),
    e_mail: email(),
    sprechstunde: text('Wann die Sprechstunde stattfindet'),
    lehrgebiete: list(text()),
    lebenslauf_url: url('Link zum Lebenslauf'),
  }),
  page(random, structured) {
    const degree = random.pick(['Prof. Dr.', 'Dr.-Ing.', 'Dipl.-Math.'])
    const plainName = personName(random, 'de')
    const name = `${degree} ${plainName}`
    const role = random.pick([
      'Professorin für Baustatik',
      'Wissenschaftlicher Mitarbeiter',
      'Lehrkraft für besondere Aufgaben',
    ])
    const room = `${random.pick(['C', 'H', 'Z'])} ${random.integer(1, 4)}${String(random.integer(1, 40)).padStart(2, '0')}`
    const call = phone(random, 'de')
    const fax = random.chance(0.5) ? phone(random, 'de') : undefined
    const mail = `${slug(plainName).replaceAll('-', '.')}@hs-elbtal.example`
    const hour = random.chance(0.7)
      ? random.pick(['mittwochs 14–15 Uhr', 'nach Vereinbarung', 'Di 10:00–11:30 Uhr'])
      : undefined
    const subjects = random.some(
      ['Technische Mechanik', 'Numerik', 'Stahlbau', 'Statistik II'],
      random.integer(2, 3),
    )
    const curriculum = random.chance(0.5) ? `/fileadmin/lebenslauf_${slug(plainName)}.pdf` : undefined
    const row = (label: string, value: string | ReturnType<typeof html>) =>
      html`<tr><td class="tx-label">${label}</td><td>${value}</td></tr>`
    const marked = (property: string, value: string) =>
      html`<span${structured.attributes(`itemprop="${property}"`)}>${value}</span>`
    const body = html`<div class="csc-default"${structured.attributes('itemscope itemtype="http://schema.org/Person"')}><div class="csc-header"><h1${structured.attributes('itemprop="name"')}>${name}</h1></div><table class="contenttable contenttable-0"><tbody>${row('Funktion', marked('jobTitle', role))}${row('Raum', room)}${row('Telefon', marked('telephone', call))}${fax && row('Fax', marked('faxNumber', fax))}${row('E-Mail', html`<a href="javascript:linkTo_UnCryptMailto('nbjmup');">${marked('email', mail)}</a>`)}${hour && row('Sprechzeit', hour)}${row('Lehrgebiete', html`${subjects.map((subject) => html`${subject}<br>`)}`)}</tbody></table>
${curriculum && html`<p><a class="download" href="${curriculum}">Lebenslauf (PDF, 120 KB)</a></p>`}<p class="note">Sekretariat: ${personName(random, 'de')}, Raum C 001, Telefon ${phone(random, 'de')}</p></div>`
    return {
      path: `/fachbereich/personen/${slug(plainName)}.html`,
      html: frame({
        skin: 'bootstrap',
        language: 'de',
        site: 'Hochschule Elbtal',
        title: `${plainName}: Hochschule Elbtal`,
        body,
        nav: ['Studium', 'Forschung', 'Personen', 'A–Z'],
        side: html`<h3>Personen</h3><ul>${[1, 2, 3, 4].map(() => html`<li><a href="#">${personName(random, 'de')}</a></li>`)}</ul>`,
      }),
      expected: present({
        ...{
          name: either(name, plainName),
          funktion: role,
          raum: room,
          telefon: call,
          fax,
          e_mail: mail,
          sprechstunde: hour,
        },
        ...{ lehrgebiete: subjects, lebenslauf_url: curriculum },
      }),
    }
  },
}

export const people = [staff, attorney, lecturer]
