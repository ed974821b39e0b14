import { frame } from '../frame.ts'
import { html, json } from '../html.ts'
import { addDays, day } from '../locale.ts'
import { date, email, list, object, text, url } from '../schema.ts'
import { otherHeadlines, story } from '../stories.ts'
import { either, maybe, present, type Template } from '../template.ts'
import { personName, phone, slug } from '../words.ts'

const journal: Template = {
  name: 'journal-fr',
  vertical: 'articles',
  carrier: 'JSON-LD',
  schema: object({
    titre: text('titre de l’article'),
    chapeau: text(),
    auteurs: list(text()),
    datePublication: date(),
    dateModification: date(),
    rubrique: text(),
    imagePrincipale: url(),
    legende: text('légende de la photo'),
    articlesLies: list(text(), 'titres des articles liés'),
  }),
  page(random, structured) {
    const it = story(random, 'fr')
    const authors = [it.author, ...(random.chance(0.5) ? [personName(random, 'fr')] : [])]
    const updated = random.chance(0.5) ? addDays(it.published, 1) : undefined
    const section = random.pick(['Économie', 'Région', 'Société'])
    const image = `https://img.lecourrier.example/photos/${random.integer(10_000, 99_999)}/${slug(it.headline)}.jpg`
    const caption = random.chance(0.7)
      ? `${random.pick(['Le port au petit matin', 'La place du village', 'Dans le fournil'])}, le ${day(it.published, 'fr', { day: 'numeric', month: 'long' })}.`
      : undefined
    const linked = otherHeadlines(random, 'fr', 3).map(({ headline }) => headline)
    const related = linked.filter((one, place) => one !== it.headline && linked.indexOf(one) === place)
    const ld = json`{"@context":"http://schema.org","@type":"NewsArticle","headline":${it.headline},"description":${it.lead},"image":{"@type":"ImageObject","url":${image}},"datePublished":${`${it.published}T${it.time}:00+01:00`},"dateModified":${`${updated ?? it.published}T${it.time}:00+01:00`},"author":${authors.map((name) => json`{"@type":"Person","name":${name}}`)},"publisher":{"@type":"NewsMediaOrganization","name":"Le Courrier du Jura"}}`
    const body = html`<main class="article--content"><section class="article__wrapper"><ul class="breadcrumb"><li><a href="/">Accueil</a></li><li><a href="/${slug(section)}/">${section}</a></li></ul><header class="article__header"><h1 class="article__title">${it.headline}</h1><p class="article__desc">${it.lead}</p></header><section class="meta meta__social"><p class="meta__authors">Par ${authors.map((name, place) => html`${place > 0 && ' et '}<a class="article__author-link" href="/signataires/${slug(name)}">${name}</a>`)}</p><p class="meta__date">Publié le ${day(it.published, 'fr')} à ${it.time.replace(':', 'h')}${updated && html`, modifié le ${day(updated, 'fr')} à 08h15`}</p><p>Temps de Lecture 3 min.</p></section><figure class="article__media"><img src="${image}" alt="">${caption && html`<figcaption class="article__legend">${caption} <span class="article__credit">${personName(random, 'fr').toUpperCase()} / AGENCE</span></figcaption>`}</figure>${it.paragraphs.map((paragraph) => html`<p class="article__paragraph">${paragraph}</p>`)}</section>
<section class="inread"><h3>Lire aussi</h3><ul>${related.map((headline) => html`<li><a href="/${slug(headline)}.html">${headline}</a></li>`)}</ul></section></main>`
    const side = html`<h2>Les plus lus</h2><ol>${['Météo : retour du froid', 'Le marché fête ses 100 ans', 'Résultats du loto du 4 mars 2026'].map((other) => html`<li><a href="#">${other}</a></li>`)}</ol>`
    return {
      path: `/${slug(section)}/article/${it.published.replaceAll('-', '/')}/${slug(it.headline)}_${random.integer(6_000_000, 6_999_999)}.html`,
      html: frame({
        skin: 'bootstrap',
        language: 'fr',
        site: 'Le Courrier du Jura',
        title: it.headline,
        description: it.lead,
        body,
        side,
        nav: ['Actualités', 'Économie', 'Sports', 'S’abonner'],
        head: structured.jsonLd(ld),
      }),
      expected: present({
        ...{
          titre: it.headline,
          chapeau: it.lead,
          auteurs: authors,
          datePublication: it.published,
          dateModification: updated ?? maybe(it.published),
        },
        ...{ rubrique: section, imagePrincipale: image, legende: caption, articlesLies: related },
      }),
    }
  },
}

const release: Template = {
  name: 'press-release-drupal',
  vertical: 'articles',
  carrier: 'RDFa',
  schema: object({
    headline: text(),
    release_date: date(),
    release_number: text('Number of the press release'),
    agency: text('Issuing body'),
    topics: list(text()),
    media_contact: object({ name: text(), email: email(), phone: text() }),
    embargo: text('Embargo, if any'),
    location: text('Dateline city'),
  }),
  page(random, structured) {
    const it = story(random, 'en-US')
    const code = `No. ${random.integer(26, 27)}-${random.integer(100, 399)}`
    const topics = random.some(['Transportation', 'Energy', 'Public Health', 'Grants'], 2)
    const who = random.chance(0.7)
      ? { name: personName(random, 'en-US'), email: 'press@coastal.example', phone: phone(random, 'en-US') }
      : undefined
    const town = random.pick(['WASHINGTON', 'SALEM, Ore.', 'ALBANY, N.Y.'])
    const body = html`<article class="node node--type-press-release"${structured.attributes(`about="/news/${slug(it.headline)}" typeof="schema:Article"`)}><h1 class="page-title"${structured.attributes('property="schema:name"')}>${it.headline}</h1><div class="press-info"><div class="field field--name-field-date field--label-inline"><div class="field__label visually-hidden">Date</div><div class="field__item"><time datetime="${it.published}T12:00:00Z"${structured.attributes('property="schema:datePublished"')}>${day(it.published, 'en-US', { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' })}</time></div></div><div class="field field--name-field-number"><div class="field__item">Press Release ${code}</div></div></div><div class="field field--name-body"${structured.attributes('property="schema:text"')}><p><strong>${town}</strong> — ${it.lead}</p>${it.paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}<p>###</p></div>
${who && html`<div class="field field--name-field-contact"><div class="field__label">Media Contact</div><div class="field__item"><p>${who.name}<br><a href="mailto:${who.email}">${who.email}</a><br>${who.phone}</p></div></div>`}<div class="field field--name-field-component"><div class="field__label">Component</div><div class="field__item"><a href="/oca">Office of Coastal Affairs</a></div></div><div class="field field--name-field-topics"><div class="field__label">Topics</div><div class="field__items">${topics.map((topic) => html`<div class="field__item"><a href="/topics/${slug(topic)}">${topic}</a></div>`)}</div></div></article>`
    const side = html`<h2>Related Content</h2>${otherHeadlines(random, 'en-US', 3).map((other) => html`<div class="views-row"><span>Press Release</span><a href="#">${other.headline}</a><p>${other.lead}</p><time>${day(other.published, 'en-US')}</time></div>`)}`
    return {
      path: `/news/${slug(it.headline)}`,
      html: frame({
        skin: 'drupal',
        language: 'en-US',
        site: 'Department of the Coast',
        title: `${it.headline} | Department of the Coast`,
        body,
        side,
        nav: ['About', 'News', 'Documents', 'Careers'],
      }),
      expected: present({
        ...{
          headline: it.headline,
          release_date: it.published,
          release_number: code,
          agency: either('Office of Coastal Affairs', 'Department of the Coast'),
        },
        ...{ topics, media_contact: who, location: town },
      }),
    }
  },
}

const shimbun: Template = {
  name: 'shimbun-ja',
  vertical: 'articles',
  carrier: 'JSON-LD',
  schema: object({
    title: text('記事の見出し'),
    publishedDate: date('配信日'),
    updatedDate: date('更新日'),
    reporter: text('記者名'),
    category: text(),
    lead: text('リード文'),
    thumbnail: url(),
  }),
  page(random, structured) {
    const it = story(random, 'ja')
    const updated = random.chance(0.4) ? addDays(it.published, 1) : undefined
    const category = random.pick(['地域', '経済', '暮らし'])
    const hasReporter = random.chance(0.6)
    const picture = `https://photo.aoba-news.example/${it.published.replaceAll('-', '')}/${random.integer(100, 999)}.jpg`
    const ld = json`{"@context":"https://schema.org","@type":"NewsArticle","headline":${it.headline},"datePublished":${`${it.published}T${it.time}:00+09:00`},"dateModified":${`${updated ?? it.published}T${it.time}:00+09:00`},"image":[${picture}],"author":{"@type":"Organization","name":"青葉新聞社"}}`
    const written = (iso: string) => day(iso, 'ja')
    const body = html`<div class="c-article"><p class="c-article__genre"><a href="/${encodeURI(category)}/">${category}</a></p><h1 class="c-article__title">${it.headline}</h1><p class="c-article__date"><time>${written(it.published)} ${it.time}</time>${updated && html`(${written(updated)} 7:00更新)`}</p><div class="c-article__photo"><img src="${picture}" alt=""></div><p class="c-article__lead">${it.lead}</p>${it.paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}${hasReporter && html`<p class="c-article__writer">【${it.author}】</p>`}</div><div class="c-related"><h2>関連記事</h2><ul>${otherHeadlines(random, 'ja', 3).map((other) => html`<li><a href="#">${other.headline}</a><span>${written(other.published)}</span></li>`)}</ul></div>`
    return {
      path: `/articles/${random.integer(10_000, 99_999)}`,
      html: frame({
        skin: 'bootstrap',
        language: 'ja',
        site: '青葉新聞',
        title: `${it.headline} | 青葉新聞`,
        body,
        nav: ['社会', '経済', '暮らし', '購読案内'],
        head: structured.jsonLd(ld),
      }),
      expected: present({
        ...{
          title: it.headline,
          publishedDate: it.published,
          updatedDate: updated ?? maybe(it.published),
          reporter: hasReporter ? it.author : undefined,
        },
        ...{ category, lead: it.lead, thumbnail: picture },
      }),
    }
  },
}

export const articles = [journal, release, shimbun]
