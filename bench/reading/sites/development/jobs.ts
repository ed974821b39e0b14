import { frame } from '../frame.ts'
import { html, json } from '../html.ts'
import { day, dayInDigits, figure, money } from '../locale.ts'
import { job, otherJobs } from '../posts.ts'
import { date, email, integer, list, number, object, oneOf, text, url, yes } from '../schema.ts'
import { maybe, present, type Template } from '../template.ts'
import { personName, slug } from '../words.ts'

const board: Template = {
  name: 'startup-board',
  vertical: 'jobs',
  carrier: 'JSON-LD',
  schema: object({
    title: text('Job title'),
    company: text('Hiring company'),
    location: text('City or office'),
    salaryMin: number('Lower end of the yearly salary'),
    salaryMax: number('Upper end of the yearly salary'),
    salaryCurrency: text(),
    employmentType: oneOf(['full_time', 'part_time', 'contract', 'internship']),
    remote: yes('Can the job be done fully remotely?'),
    responsibilities: list(text()),
    datePosted: date(),
    applyUrl: url('Where to apply'),
  }),
  page(random, structured) {
    const it = job(random, 'en-US')
    const isPaid = random.chance(0.7)
    const isRemote = random.chance(0.4)
    const type = random.pick([
      ['full_time', 'Full-time', 'FULL_TIME'],
      ['contract', 'Contract', 'CONTRACTOR'],
    ] as const)
    const id = random.integer(4_000_000, 7_999_999)
    const pay = json`{"@type":"MonetaryAmount","currency":"USD","value":{"@type":"QuantitativeValue","minValue":${it.low},"maxValue":${it.high},"unitText":"YEAR"}}`
    const place = json`{"@type":"Place","address":{"@type":"PostalAddress","addressLocality":${it.place.split(', ')[0]},"addressRegion":${it.place.split(', ')[1]},"addressCountry":"US"}}`
    const ld = json`{"@context":"http://schema.org","@type":"JobPosting","title":${it.title},"datePosted":${it.posted},"hiringOrganization":{"@type":"Organization","name":${it.employer}},"jobLocation":[${place}],"employmentType":${type[2]},"baseSalary":${isPaid ? pay : undefined},"jobLocationType":${isRemote ? 'TELECOMMUTE' : undefined},"description":${`<p>${it.about}</p><ul>${it.tasks.map((task) => `<li>${task}</li>`).join('')}</ul>`}}`
    const body = html`<div class="content"><div class="section page-centered posting-header"><div class="posting-headline"><h2>${it.title}</h2><div class="posting-categories"><div class="sort-by-location posting-category medium-category-label">${it.place}</div><div class="sort-by-commitment posting-category">${type[1]}</div>${isRemote && html`<div class="workplaceTypes posting-category">Remote</div>`}</div></div><div class="postings-btn-wrapper"><a class="postings-btn template-btn-submit" href="/apply/${id}">Apply for this job</a></div></div>
<div class="section-wrapper page-full-width"><div class="section page-centered"><div>${it.about}</div></div><div class="section page-centered"><h3>What you’ll do</h3><ul class="posting-requirements plain-list">${it.tasks.map((task) => html`<li>${task}</li>`)}</ul></div><div class="section page-centered"><h3>What we’re looking for</h3><ul class="posting-requirements plain-list">${it.wants.map((want) => html`<li>${want}</li>`)}</ul></div>
${isPaid && html`<div class="section page-centered" data-qa="salary-range"><div>The base salary range for this role is ${money(it.low, 'USD', 'en-US').replace('.00', '')} – ${money(it.high, 'USD', 'en-US').replace('.00', '')} per year, plus equity.</div></div>`}
<div class="section page-centered"><div>Posted ${day(it.posted, 'en-US', { dateStyle: 'medium' })}</div></div></div></div>
<div class="similar"><h4>More openings</h4>${otherJobs(random, 'en-US', 4).map((other) => html`<div class="posting"><a class="posting-title" href="/jobs/${slug(other.title)}"><h5>${other.title}</h5><span class="sort-by-location">${other.place}</span></a></div>`)}</div>`
    return {
      path: `/${slug(it.employer)}/${id}`,
      html: frame({
        skin: 'tailwind',
        language: 'en-US',
        site: it.employer,
        title: `${it.employer} - ${it.title}`,
        body,
        nav: ['About', 'Careers', 'Blog'],
        head: structured.jsonLd(ld),
      }),
      expected: present({
        ...{
          title: it.title,
          company: it.employer,
          location: it.place,
          salaryMin: isPaid ? it.low : undefined,
        },
        ...{
          salaryMax: isPaid ? it.high : undefined,
          salaryCurrency: isPaid ? 'USD' : undefined,
          employmentType: type[0],
        },
        ...{
          remote: isRemote || maybe(false),
          responsibilities: it.tasks,
          datePosted: it.posted,
          applyUrl: `/apply/${id}`,
        },
      }),
    }
  },
}

const portal: Template = {
  name: 'stellenportal-de',
  vertical: 'jobs',
  carrier: 'JSON-LD',
  schema: object({
    job_title: text('Stellenbezeichnung'),
    employer: text('Arbeitgeber'),
    locations: list(text(), 'Arbeitsorte'),
    contract_type: text('Befristung, z. B. unbefristet'),
    working_hours: text('Arbeitszeit, z. B. Vollzeit'),
    published_at: date('Veröffentlichungsdatum'),
    valid_until: date('Ende der Bewerbungsfrist'),
    home_office: yes('Home-Office möglich'),
    requirements: list(text(), 'Anforderungen an die Bewerber'),
    contact: object({ name: text('Ansprechpartner'), phone: text() }),
  }),
  page(random, structured) {
    const it = job(random, 'de')
    const places = random.some(['Köln', 'Hamburg', 'Erfurt', 'Mainz'], random.integer(1, 2))
    const contract = random.pick(['Feste Anstellung', 'Befristeter Vertrag'])
    const hours = random.pick(['Vollzeit', 'Teilzeit', 'Vollzeit, Teilzeit'])
    const atHome = random.chance(0.5)
    const contact = random.chance(0.6)
      ? { name: personName(random, 'de'), phone: `0221 / 55${random.integer(1000, 9999)}` }
      : undefined
    const ld = json`{"@context":"http://schema.org/","@type":"JobPosting","title":${it.title},"datePosted":${`${it.posted}T08:30:00+02:00`},"validThrough":${`${it.closes}T23:59:00+02:00`},"employmentType":"OTHER","hiringOrganization":{"@type":"Organization","name":${it.employer},"logo":"https://cdn.jobs.example/logo.gif"},"jobLocation":${places.map((name) => json`{"@type":"Place","address":{"@type":"PostalAddress","addressLocality":${name},"addressCountry":"DE"}}`)},"description":${`<h2>Ihre Aufgaben</h2><ul>${it.tasks.map((task) => `<li>${task}</li>`).join('')}</ul>`}}`
    const fact = (at: string, value: string) =>
      html`<li class="sc-fuExOL fXzJIx"><span class="sc-ckdEwu" data-at="${at}">${value}</span></li>`
    const body = html`<article class="sc-hdrDxB"><div data-at="header"><a class="sc-jqUVSM" href="/firma/${slug(it.employer)}" data-at="metadata-company-name">${it.employer}</a><h1 class="sc-gKPRtg" data-at="header-job-title">${it.title}</h1><ul class="sc-cxabCf">${fact('metadata-location', places.join(', '))}${fact('metadata-contract-type', contract)}${fact('metadata-work-type', `${hours}${atHome ? ', Home Office möglich' : ''}`)}<li><span data-at="metadata-online-date">Erschienen: ${dayInDigits(it.posted, 'de')}</span></li></ul></div>
<div class="sc-bBrHrO" data-at="section-text-introduction"><p>${it.about}</p></div><div data-at="section-text-description"><h4>Ihre Aufgaben</h4><ul>${it.tasks.map((task) => html`<li>${task}</li>`)}</ul></div><div data-at="section-text-profile"><h4>Ihr Profil</h4><ul>${it.wants.map((want) => html`<li>${want}</li>`)}</ul></div>
${contact && html`<div data-at="section-text-contact"><h4>Kontakt</h4><p>Bei Fragen wenden Sie sich gerne an ${contact.name}, Tel. ${contact.phone}.</p></div>`}</article>`
    const side = html`<h3>Ähnliche Jobs</h3>${otherJobs(random, 'de', 4).map((other) => html`<div class="sc-x"><a href="/stellenangebote/${slug(other.title)}">${other.title}</a><div>${other.employer}</div><div>${other.place}</div><time>vor ${random.integer(1, 9)} Tagen</time></div>`)}`
    return {
      path: `/stellenangebote--${slug(it.title)}--${random.integer(8_000_000, 9_999_999)}-inline.html`,
      html: frame({
        skin: 'react',
        language: 'de',
        site: 'Stellenblick',
        title: `${it.title} Job ${places[0]} | ${it.employer}`,
        body,
        side,
        nav: ['Jobs finden', 'Gehaltsplaner', 'Für Arbeitgeber'],
        head: structured.jsonLd(ld),
      }),
      expected: present({
        ...{
          job_title: it.title,
          employer: it.employer,
          locations: places,
          contract_type: contract,
          working_hours: hours,
        },
        ...{
          published_at: it.posted,
          valid_until: it.closes,
          home_office: atHome || maybe(false),
          requirements: it.wants,
          contact,
        },
      }),
      onlyStructured: ['valid_until'],
    }
  },
}

const manager: Template = {
  name: 'wp-job-manager',
  vertical: 'jobs',
  carrier: 'microdata',
  schema: object({
    position: text('Title of the position'),
    organisation: text(),
    town: text('Where the job is'),
    hourly_rate_gbp: number('Pay per hour in pounds'),
    hours_per_week: number(),
    closing_date: date('Last day for applications'),
    contact_email: email(),
    reference: text('Job reference number'),
    driving_licence_required: yes(),
    positions_available: integer('Number of vacancies'),
  }),
  page(random, structured) {
    const it = job(random, 'en-GB')
    const rate = random.integer(1150, 2900) / 100
    const hours = random.pick([16, 22.5, 30, 37.5])
    const reference = random.chance(0.6) ? `HR/${random.integer(100, 999)}/26` : undefined
    const needs = it.wants.includes('A full driving licence')
    const mail = `jobs@${slug(it.employer)}.example`
    const body = html`<article class="job_listing type-job_listing status-publish hentry"><header class="entry-header"><h1 class="entry-title">${it.title}</h1></header><div class="entry-content"><div class="single_job_listing"${structured.attributes('itemscope itemtype="http://schema.org/JobPosting"')}>${structured.block(html`<meta itemprop="title" content="${it.title}">`)}
<ul class="job-listing-meta meta"><li class="job-type part-time"${structured.attributes('itemprop="employmentType"')}>Part Time</li><li class="location"${structured.attributes('itemprop="jobLocation"')}><a class="google_map_link" href="https://maps.example/?q=${it.place}">${it.place}</a></li><li class="date-posted">${structured.block(html`<meta itemprop="datePosted" content="${it.posted}">`)}Posted ${random.integer(2, 5)} weeks ago</li><li class="salary">£${rate.toFixed(2)} per hour</li></ul>
<div class="company"${structured.attributes('itemscope itemtype="http://schema.org/Organization" itemprop="hiringOrganization"')}><img class="company_logo" src="/logo.png" alt="${it.employer}"><p class="name"><strong${structured.attributes('itemprop="name"')}>${it.employer}</strong></p></div>
<div class="job_description"${structured.attributes('itemprop="description"')}><p>${it.about}</p><p><strong>Hours:</strong> ${hours} hours per week, some weekends<br>${reference && html`<strong>Reference:</strong> ${reference}<br>`}<strong>Closing date:</strong> ${day(it.closes, 'en-GB')}</p><p>You will:</p><ul>${it.tasks.map((task) => html`<li>${task}</li>`)}</ul><p>We ask for:</p><ul>${it.wants.map((want) => html`<li>${want}</li>`)}</ul></div>
<div class="job_application application"><input type="button" class="application_button button" value="Apply for job"><div class="application_details"><p>To apply <strong>email your details to</strong> <a class="job_application_email" href="mailto:${mail}">${mail}</a></p></div></div></div></div></article>`
    const side = html`<aside class="widget widget_recent_jobs"><h3 class="widget-title">Recent Jobs</h3><ul class="job_listings">${otherJobs(random, 'en-GB', 4).map((other) => html`<li class="job_listing"><a href="/job/${slug(other.title)}/"><h3>${other.title}</h3><ul class="meta"><li class="location">${other.place}</li><li class="company">${other.employer}</li><li>£${figure(other.low, 'en-GB')}</li></ul></a></li>`)}</ul></aside>`
    return {
      path: `/job/${slug(it.title)}/`,
      html: frame({
        skin: 'wordpress',
        language: 'en-GB',
        site: 'Dales Jobs',
        title: `${it.title} - Dales Jobs`,
        body,
        side,
        nav: ['Find a job', 'Post a job', 'News', 'Contact'],
      }),
      expected: present({
        ...{
          position: it.title,
          organisation: it.employer,
          town: it.place,
          hourly_rate_gbp: rate,
          hours_per_week: hours,
        },
        ...{
          closing_date: it.closes,
          contact_email: mail,
          reference,
          driving_licence_required: needs || maybe(false),
        },
      }),
    }
  },
}

export const jobs = [board, portal, manager]
