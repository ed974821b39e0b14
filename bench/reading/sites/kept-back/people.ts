import { frame } from '../frame.ts'
import { html, json } from '../html.ts'
import { figure } from '../locale.ts'
import { date, email, integer, list, number, object, text, url, yes } from '../schema.ts'
import { either, maybe, present, type Template } from '../template.ts'
import { city, personName, phone, slug, streetAddress } from '../words.ts'

const doctor: Template = {
  name: 'medecin-fr',
  vertical: 'people',
  carrier: 'JSON-LD',
  schema: object({
    nom: text(),
    specialite: text(),
    adresse: text('adresse du cabinet'),
    telephone: text(),
    secteur: integer('secteur de conventionnement'),
    tarifConsultation: number('tarif de la consultation en euros'),
    carteVitale: yes('carte Vitale acceptée'),
    horaires: list(object({ jour: text(), heures: text() }), 'horaires d’ouverture'),
    langues: list(text(), 'langues parlées'),
    nouveauxPatients: yes('accepte de nouveaux patients'),
  }),
  page(random, structured) {
    const name = `Dr ${personName(random, 'fr')}`
    const specialty = random.pick(['Dermatologue', 'Médecin généraliste', 'Ophtalmologue'])
    const town = city(random, 'fr')
    const address = `${streetAddress(random, 'fr')}, ${random.integer(10_000, 89_000)} ${town}`
    const call = phone(random, 'fr')
    const sector = random.chance(0.7) ? random.integer(1, 2) : undefined
    const fee = random.pick([26.5, 30, 55])
    const card = random.chance(0.6)
    const hours = ['Lundi', 'Mardi', 'Jeudi'].map((jour) => ({
      jour,
      heures: random.pick(['09h00 - 12h00', '08h30 - 17h30', '14h00 - 19h00']),
    }))
    const languages = random.some(['Français', 'Anglais', 'Arabe', 'Italien'], 2)
    const isOpen = random.chance(0.5)
    const ld = json`{"@context":"https://schema.org","@type":"Physician","name":${name},"medicalSpecialty":${specialty},"telephone":${call},"address":{"@type":"PostalAddress","streetAddress":${address},"addressLocality":${town}},"openingHours":["Mo 09:00-12:00"]}`
    const body = html`<div class="dl-profile-header"><h1 class="dl-profile-header-name"><span>${name}</span></h1><h2 class="dl-profile-header-speciality">${specialty}</h2></div><div class="dl-profile-card"><h3 class="dl-profile-card-title">Tarifs et remboursement</h3><div>${sector && html`Conventionné secteur ${sector}. `}${card && 'Carte Vitale acceptée.'}</div><div class="dl-profile-fee"><span class="dl-profile-fee-name">Consultation</span><span class="dl-profile-fee-tag">${figure(fee, 'fr', fee % 1 ? 2 : 0)} €</span></div><div class="dl-profile-fee"><span class="dl-profile-fee-name">Acte technique</span><span class="dl-profile-fee-tag">${random.integer(60, 140)} €</span></div></div>
<div class="dl-profile-card" id="location"><h3 class="dl-profile-card-title">Carte et informations d'accès</h3><div class="dl-profile-practice-name">Cabinet médical</div><div>${address}</div><div>Ascenseur · Entrée accessible</div></div><div class="dl-profile-card"><h3>Horaires</h3>${hours.map(({ jour, heures }) => html`<div class="js-opening-hours"><span class="dl-day">${jour}</span> <span class="dl-hours">${heures}</span></div>`)}</div><div class="dl-profile-card"><h3>Langues parlées</h3><div>${languages.join(', ')}</div></div><div class="dl-profile-card"><h3>Coordonnées</h3><div>${call}</div></div>
${isOpen && html`<div class="dl-badge">Accepte les nouveaux patients</div>`}<div class="similar"><h3>Autres praticiens à ${town}</h3>${[1, 2, 3].map(() => html`<a href="#"><div>Dr ${personName(random, 'fr')}</div><div>${specialty}</div><div>${streetAddress(random, 'fr')}</div></a>`)}</div>`
    return {
      path: `/${slug(specialty)}/${slug(town)}/${slug(name)}`,
      html: frame({
        skin: 'react',
        language: 'fr',
        site: 'RendezSoin',
        title: `${name}, ${specialty} à ${town} | RendezSoin`,
        body,
        nav: ['Prendre rendez-vous', 'Se connecter', 'Aide'],
        head: structured.jsonLd(ld),
      }),
      expected: present({
        ...{
          nom: either(name, name.slice(3)),
          specialite: specialty,
          adresse: address,
          telephone: call,
          secteur: sector,
          tarifConsultation: fee,
        },
        ...{
          carteVitale: card || maybe(false),
          horaires: hours,
          langues: languages,
          nouveauxPatients: isOpen || maybe(false),
        },
      }),
    }
  },
}

const member: Template = {
  name: 'team-member-tailwind',
  vertical: 'people',
  carrier: 'Open Graph',
  schema: object({
    first_name: text(),
    last_name: text(),
    role: text('role in the company'),
    team: text(),
    bio: text('short biography'),
    based_in: text('city'),
    twitter_handle: text('handle with @'),
    github_url: url(),
    photo: url(),
    pronouns: text(),
  }),
  page(random, structured) {
    const name = personName(random, 'en-US')
    const [first = '', last = ''] = name.split(' ')
    const role = random.pick([
      'Staff Engineer',
      'Head of People',
      'Product Designer',
      'Customer Success Lead',
    ])
    const team = random.pick(['Platform', 'Operations', 'Growth'])
    const bio = `${first} ${random.pick(['builds the things nobody sees and everybody needs', 'looks after everyone who joins and everyone who leaves', 'turns napkin sketches into software'])}, and spends the weekends ${random.pick(['restoring an old sailing boat', 'running up hills', 'baking rye bread'])}.`
    const town = city(random, 'en-US')
    const handle = random.chance(0.5) ? `@${slug(name).replaceAll('-', '_')}` : undefined
    const github = random.chance(0.5) ? `https://github.com/${slug(name)}` : undefined
    const photo = `https://images.quillstack.example/team/${slug(name)}.png`
    const pronouns = random.chance(0.4) ? random.pick(['she/her', 'he/him', 'they/them']) : undefined
    const body = html`<div class="flex flex-col md:flex-row gap-10"><img src="${photo}" class="w-48 h-48 rounded-full ring-4 ring-indigo-100" alt="${name}"><div><p class="text-sm font-semibold text-indigo-600 uppercase tracking-wide">${team}</p><h1 class="text-4xl font-extrabold">${name}</h1><p class="mt-1 text-xl text-gray-500">${role}</p>${pronouns && html`<p class="text-xs text-gray-400">${pronouns}</p>`}<p class="mt-2 flex items-center text-gray-500"><svg class="w-4 h-4"><path d="M0 0"/></svg>${town}</p><p class="mt-6 text-gray-700 leading-7">${bio}</p>
<div class="mt-6 flex gap-4">${handle && html`<a class="text-gray-400" href="https://twitter.com/${handle.slice(1)}">${handle}</a>`}${github && html`<a class="text-gray-400" href="${github}"><span class="sr-only">GitHub</span><svg class="w-5 h-5"><path d="M1 1"/></svg></a>`}</div></div></div><div class="mt-16"><h2 class="text-2xl font-bold">Meet the rest of the team</h2><div class="grid grid-cols-4 gap-6">${[1, 2, 3, 4].map(() => html`<a href="#" class="block"><img src="/t/x.png" class="rounded" alt=""><div class="font-medium">${personName(random, 'en-US')}</div><div class="text-gray-500">${random.pick(['Engineer', 'Designer', 'Recruiter'])}</div></a>`)}</div></div>`
    return {
      path: `/team/${slug(name)}`,
      html: frame({
        skin: 'tailwind',
        language: 'en-US',
        site: 'Quillstack',
        title: `${name} — Quillstack`,
        body,
        description: `${name}, ${role} at Quillstack`,
        nav: ['Product', 'Pricing from $9', 'Team', 'Docs'],
        head: structured.meta(
          ['og:type', 'profile'],
          ['profile:first_name', first],
          ['profile:last_name', last],
          ['og:image', photo],
          ['og:description', bio],
        ),
      }),
      expected: present({
        ...{
          first_name: first,
          last_name: last,
          role,
          team,
          bio,
          based_in: town,
          twitter_handle: handle,
          github_url: github,
        },
        ...{ photo, pronouns },
      }),
    }
  },
}

const homepage: Template = {
  name: 'personal-homepage-2003',
  vertical: 'people',
  carrier: 'microdata',
  schema: object({
    name: text(),
    affiliation: text('University or institute'),
    mailingAddress: text('Postal address'),
    phone: text(),
    fax: text(),
    email: email(),
    born: text('Year of birth'),
    lastUpdated: date('When the page was last changed'),
    students: list(text(), 'Names of current PhD students'),
  }),
  page(random, structured) {
    const name = personName(random, 'en-GB')
    const institute = random.pick([
      'Institute for Low Temperature Physics',
      'Department of Mathematics, Westmarch',
      'Observatory at Hallow Hill',
    ])
    const address = `${streetAddress(random, 'en-GB')}, ${city(random, 'en-GB')}, United Kingdom`
    const call = phone(random, 'en-GB')
    const fax = random.chance(0.6) ? phone(random, 'en-GB') : undefined
    const mail = `${slug(name).split('-').at(-1)}@maths.westmarch.example`
    const students = Array.from({ length: random.integer(1, 3) }, () => personName(random, 'en-GB'))
    const changed = `2026-0${random.integer(1, 6)}-1${random.integer(0, 9)}`
    const mark = (property: string) => structured.attributes(`itemprop="${property}"`)
    const body = html`<div${structured.attributes('itemscope itemtype="http://schema.org/Person"')}><h1 align="center"${mark('name')}>${name}</h1><p align="center"><i${mark('affiliation')}>${institute}</i></p><hr><p><b>Address:</b> <span${mark('address')}>${address}</span><br><b>Phone:</b> <span${mark('telephone')}>${call}</span><br>${fax && html`<b>Fax:</b> <span${mark('faxNumber')}>${fax}</span><br>`}<b>E-mail:</b> <tt${mark('email')}>${mail}</tt></p><h2>Teaching</h2><ul><li>MA204 Analysis (Mondays, 9am)</li><li>MA311 Number Theory</li></ul><h2>PhD students</h2><ul>${students.map((student) => html`<li>${student}</li>`)}</ul><h2>Links</h2><ul><li><a href="http://www.${slug(institute)}.example">${institute}</a></li><li><a href="hiking.html">Hiking with ${personName(random, 'en-GB')}</a></li></ul></div><hr><address>Last modified: ${changed}. Visitors since 1998: ${figure(random.integer(1000, 99_000), 'en-GB')}</address>`
    return {
      path: `/~${slug(name).split('-').at(-1)}/index.html`,
      html: frame({
        skin: 'tables',
        language: 'en-GB',
        site: 'Westmarch Web',
        title: `Home page of ${name}`,
        body,
        nav: ['Research', 'Teaching', 'CV'],
      }),
      expected: present({
        ...{
          name,
          affiliation: institute,
          mailingAddress: address,
          phone: call,
          fax,
          email: mail,
          lastUpdated: changed,
          students,
        },
      }),
    }
  },
}

export const people = [doctor, member, homepage]
