import { frame } from '../frame.ts'
import { html, json } from '../html.ts'
import { day, dayInDigits, figure } from '../locale.ts'
import { job, otherJobs } from '../posts.ts'
import { date, integer, list, number, object, text, url, yes } from '../schema.ts'
import { either, maybe, present, type Template } from '../template.ts'
import { personName, phone, slug } from '../words.ts'

const vacancy: Template = {
  name: 'government-vacancy',
  vertical: 'jobs',
  carrier: 'RDFa',
  schema: object({
    jobTitle: text(),
    department: text('Department or agency'),
    grade: text('Civil service grade'),
    salaryFrom: integer('GBP per year'),
    salaryTo: integer('GBP per year'),
    numberOfPosts: integer('How many people are wanted'),
    location: text(),
    closingDate: date(),
    contactName: text('Who answers questions about the job'),
    contactPhone: text(),
    contract: text('Type of contract'),
    visaSponsorship: yes(),
  }),
  page(random, structured) {
    const it = job(random, 'en-GB')
    const department = random.pick([
      'Office for Rural Roads',
      'Land Registry Support Unit',
      'Tidal Safety Agency',
    ])
    const grade = random.pick(['Higher Executive Officer', 'Grade 7', 'Senior Executive Officer'])
    const posts = random.integer(1, 6)
    const contact = random.chance(0.7)
      ? { name: personName(random, 'en-GB'), phone: phone(random, 'en-GB') }
      : undefined
    const contract = random.pick(['Permanent', 'Fixed term (12 months)', 'Loan'])
    const row = (label: string, value: string, attributes = '') =>
      html`<div class="govuk-summary-list__row"><dt class="govuk-summary-list__key">${label}</dt><dd class="govuk-summary-list__value"${attributes && structured.attributes(attributes)}>${value}</dd></div>`
    const body = html`<div${structured.attributes('vocab="http://schema.org/" typeof="JobPosting"')}><span class="govuk-caption-xl"${structured.attributes('property="hiringOrganization"')}>${department}</span><h1 class="govuk-heading-xl"${structured.attributes('property="title"')}>${it.title}</h1>
<p class="govuk-body">Apply before 11:55 pm on <strong>${day(it.closes, 'en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })}</strong></p>${structured.block(html`<meta property="validThrough" content="${it.closes}">`)}
<dl class="govuk-summary-list">${row('Reference number', String(random.integer(200_000, 399_999)))}${row('Salary', `£${figure(it.low, 'en-GB')} - £${figure(it.high, 'en-GB')}`)}${row('Job grade', grade)}${row('Contract type', contract, 'property="employmentType"')}${row('Number of jobs available', String(posts))}${row('Location', it.place, 'property="jobLocation"')}</dl>
<h2 class="govuk-heading-m">About the job</h2><p class="govuk-body"${structured.attributes('property="description"')}>${it.about}</p><ul class="govuk-list govuk-list--bullet">${it.tasks.map((task) => html`<li>${task}</li>`)}</ul>
<h2 class="govuk-heading-m">Benefits</h2><p class="govuk-body">Alongside your salary we contribute £${figure(Math.round(it.low * 0.27), 'en-GB')} towards your pension.</p>
${contact && html`<h3 class="govuk-heading-s">Job contact</h3><ul class="govuk-list"><li>Name: ${contact.name}</li><li>Telephone: ${contact.phone}</li></ul><h3 class="govuk-heading-s">Recruitment team</h3><ul class="govuk-list"><li>Email: recruitment@service.example</li></ul>`}</div>`
    const side = html`<h2 class="govuk-heading-s">Related jobs</h2><ul class="govuk-list">${otherJobs(random, 'en-GB', 3).map((other) => html`<li><a href="#">${other.title}</a><br>£${figure(other.low, 'en-GB')} · closes ${day(other.closes, 'en-GB', { day: 'numeric', month: 'short' })}</li>`)}</ul>`
    return {
      path: `/csr/jobs.cgi?jcode=${random.integer(1_700_000, 1_999_999)}`,
      html: frame({
        skin: 'government',
        language: 'en-GB',
        site: 'Public Service Jobs',
        title: `${it.title} - Public Service Jobs`,
        body,
        side,
        nav: ['Home', 'Search results', 'Job details'],
      }),
      expected: present({
        ...{
          jobTitle: it.title,
          department,
          grade,
          salaryFrom: it.low,
          salaryTo: it.high,
          numberOfPosts: posts,
        },
        ...{
          location: it.place,
          closingDate: it.closes,
          contactName: contact?.name,
          contactPhone: contact?.phone,
          contract,
        },
      }),
    }
  },
}

const emploi: Template = {
  name: 'emploi-fr',
  vertical: 'jobs',
  carrier: 'JSON-LD graph',
  schema: object({
    intitule: text('intitulé du poste'),
    entreprise: text(),
    lieu: text('ville'),
    codePostal: text(),
    typeContrat: text('CDI, CDD, intérim…'),
    salaireAnnuelBrut: object({ min: number(), max: number() }),
    datePublication: date(),
    debut: text('date de début'),
    teletravail: yes('télétravail possible'),
    missions: list(text()),
    lienCandidature: url('lien pour postuler'),
  }),
  page(random, structured) {
    const it = job(random, 'fr')
    const contract = random.pick(['CDI', 'CDD - 6 mois', 'Intérim - 3 mois'])
    const isPaid = random.chance(0.6)
    const start = random.pick(['dès que possible', 'septembre 2026', 'immédiat'])
    const atHome = random.chance(0.4)
    const zip = String(random.integer(21_000, 89_999))
    const apply = `/postuler?offre=${random.integer(100_000, 999_999)}`
    const pay = json`{"@type":"MonetaryAmount","currency":"EUR","value":{"@type":"QuantitativeValue","minValue":${it.low},"maxValue":${it.high},"unitText":"YEAR"}}`
    const ld = json`{"@context":"https://schema.org","@graph":[{"@type":"WebPage","@id":"#page","name":${`${it.title} - ${it.place}`},"datePublished":${it.posted}},{"@type":"JobPosting","mainEntityOfPage":{"@id":"#page"},"title":${it.title},"datePosted":${it.posted},"hiringOrganization":{"@id":"#org"},"jobLocation":{"@type":"Place","address":{"@type":"PostalAddress","addressLocality":${it.place},"postalCode":${zip},"addressCountry":"FR"}},"baseSalary":${isPaid ? pay : undefined},"employmentType":"FULL_TIME"},{"@type":"Organization","@id":"#org","name":${it.employer}}]}`
    const body = html`<section class="offer-hero mb-6"><h1 class="text-2xl font-semibold">${it.title}</h1><p class="text-gray-600"><a href="/entreprises/${slug(it.employer)}">${it.employer}</a></p>
<div class="flex flex-wrap gap-2 mt-4"><span class="tag tag-outline">${it.place}</span><span class="tag tag-outline">${contract}</span>${isPaid && html`<span class="tag tag-outline">${figure(it.low, 'fr')} - ${figure(it.high, 'fr')} € / an</span>`}${atHome && html`<span class="tag tag-outline">Télétravail partiel</span>`}</div>
<p class="text-sm mt-2">Publiée le ${dayInDigits(it.posted, 'fr')} · Début : ${start}</p><a class="btn" href="${apply}">Postuler</a></section>
<section><h2>Les missions du poste</h2><p>${it.about}</p><ul>${it.tasks.map((task) => html`<li>${task}</li>`)}</ul></section><section><h2>Le profil recherché</h2><ul>${it.wants.map((want) => html`<li>${want}</li>`)}</ul></section>
<section><h2>Ces offres pourraient aussi vous intéresser</h2>${otherJobs(random, 'fr', 4).map((other) => html`<article class="card"><h3><a href="/emplois/${slug(other.title)}">${other.title}</a></h3><p>${other.employer}</p><p>${other.place} – CDI – ${figure(other.low, 'fr')} €</p></article>`)}</section>`
    return {
      path: `/emplois/${slug(it.title)}-${random.integer(40_000_000, 60_000_000)}.html`,
      html: frame({
        skin: 'tailwind',
        language: 'fr',
        site: 'Cap Emploi Ouest',
        title: `Recrutement ${it.title} ${it.place} - ${it.employer}`,
        body,
        nav: ['Offres', 'Entreprises', 'Conseils'],
        head: html`${structured.jsonLd(ld)}${structured.meta(['og:title', it.title], ['og:site_name', 'Cap Emploi Ouest'])}`,
      }),
      expected: present({
        ...{
          intitule: it.title,
          entreprise: it.employer,
          lieu: it.place,
          codePostal: zip,
          typeContrat: either(contract, contract.split(' - ')[0] ?? ''),
        },
        salaireAnnuelBrut: isPaid ? { min: it.low, max: it.high } : undefined,
        ...{
          datePublication: it.posted,
          debut: start,
          teletravail: atHome || maybe(false),
          missions: it.tasks,
          lienCandidature: apply,
        },
      }),
      onlyStructured: ['codePostal'],
    }
  },
}

const university: Template = {
  name: 'university-hand-written',
  vertical: 'jobs',
  carrier: 'JSON-LD',
  schema: object({
    title: text('position title'),
    university: text(),
    dept: text('department'),
    supervisor: text(),
    start_date: date(),
    deadline: date('application deadline'),
    duration_months: integer('length of the contract in months'),
    pay_scale: text(),
    teaching_load: text(),
  }),
  page(random, structured) {
    const title = random.pick([
      'PhD Position in Glaciology',
      'Postdoctoral Researcher in Formal Verification',
      'Research Assistant, Medieval Archives',
    ])
    const department = random.pick([
      'Department of Earth Sciences',
      'School of Computing',
      'Faculty of History',
    ])
    const boss = `Prof. ${personName(random, 'en-GB')}`
    const start = random.pick(['2026-10-01', '2027-01-04', '2026-09-15'])
    const deadline = random.pick(['2026-06-30', '2026-07-15', '2026-08-01'])
    const months = random.pick([24, 36, 48])
    const scale = random.chance(0.6) ? random.pick(['TV-L E13, 75 %', 'Grade 6, spine point 24']) : undefined
    const ld = json`{"@context":"https://schema.org","@type":"JobPosting","title":${title},"hiringOrganization":{"@type":"CollegeOrUniversity","name":"University of Westmarch"},"validThrough":${deadline},"jobStartDate":${start}}`
    const body = html`<h2>${title}</h2><p>The <a href="http://www.westmarch.example/">University of Westmarch</a>, ${department}, invites applications for the above position in the group of ${boss}.</p>
<p><b>Starting date:</b> ${day(start, 'en-GB')}<br><b>Duration:</b> ${months} months${months > 24 && ' (extension possible)'}<br>${scale && html`<b>Salary:</b> ${scale}<br>`}<b>Application deadline:</b> ${day(deadline, 'en-US')}<br></p>
<p>The project is funded by the national science foundation until 31 December 2031. Your tasks include field work and the supervision of students.</p><p>Please send your CV, certificates and the names of two referees as <i>one</i> PDF file. For questions call ${phone(random, 'en-GB')}.</p><p align="right"><small>Last change: ${dayInDigits('2026-05-11', 'en-GB')}, webmaster</small></p>`
    const side = html`Open positions<br>${['PhD Position in Hydrology', 'Laboratory Technician', 'Secretary (50 %)'].map((other) => html`<a href="${slug(other)}.html">${other}</a><br>deadline 1 May 2026<br>`)}`
    return {
      path: `/~group/jobs/${slug(title)}.html`,
      html: frame({
        skin: 'tables',
        language: 'en-GB',
        site: 'University of Westmarch',
        title: 'Open positions',
        body,
        side,
        nav: ['Home', 'People', 'Publications', 'Jobs'],
        head: structured.jsonLd(ld),
      }),
      expected: present({
        ...{
          title,
          university: 'University of Westmarch',
          dept: department,
          supervisor: either(boss, boss.replace('Prof. ', '')),
        },
        ...{ start_date: start, deadline, duration_months: months, pay_scale: scale },
      }),
    }
  },
}

export const jobs = [vacancy, emploi, university]
