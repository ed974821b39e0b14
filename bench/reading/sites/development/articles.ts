import { frame } from '../frame.ts'
import { html, json } from '../html.ts'
import { addDays, day, dayInDigits } from '../locale.ts'
import { date, dateTime, integer, list, object, text, url, yes } from '../schema.ts'
import { otherHeadlines, story } from '../stories.ts'
import { either, maybe, present, type Template } from '../template.ts'
import { personName, slug } from '../words.ts'

const newspaper: Template = {
  name: 'wordpress-yoast-news',
  vertical: 'articles',
  carrier: 'JSON-LD graph',
  schema: object(
    {
      headline: text(),
      author: text('Name of the author'),
      publishedAt: date('Publication date'),
      updatedAt: date('Date of the last update'),
      section: text('Section or category'),
      tags: list(text()),
      leadImage: url('Main image of the article'),
      summary: text('Standfirst or introduction'),
      commentCount: integer(),
    },
    'headline',
    'publishedAt',
  ),
  page(random, structured) {
    const it = story(random, 'en-GB')
    const updated = random.chance(0.5) ? addDays(it.published, random.integer(1, 20)) : undefined
    const section = random.pick(['Local', 'Business', 'Culture'])
    const tags = random.some(['ferries', 'council', 'energy', 'food', 'choirs'], random.integer(1, 3))
    const image = `https://www.valleyherald.example/wp-content/uploads/2026/0${random.integer(1, 9)}/${slug(it.headline)}-1024x683.jpg`
    const comments = random.chance(0.6) ? random.integer(1, 90) : undefined
    const base = 'https://www.valleyherald.example'
    const ld = json`{"@context":"https://schema.org","@graph":[{"@type":"NewsArticle","@id":${`${base}/x/#article`},"isPartOf":{"@id":${`${base}/x/`}},"author":{"name":${it.author},"@id":${`${base}/#/schema/person/1`}},"headline":${it.headline},"datePublished":${`${it.published}T${it.time}:00+00:00`},"dateModified":${`${updated ?? it.published}T${it.time}:00+00:00`},"publisher":{"@id":${`${base}/#organization`}},"image":{"@id":${`${base}/x/#primaryimage`}},"keywords":${tags},"articleSection":[${section}],"commentCount":${comments},"inLanguage":"en-GB"},{"@type":"WebPage","@id":${`${base}/x/`},"name":${`${it.headline} - Valley Herald`},"datePublished":${`${it.published}T${it.time}:00+00:00`}},{"@type":"ImageObject","@id":${`${base}/x/#primaryimage`},"url":${image},"contentUrl":${image},"width":1024,"height":683},{"@type":"Organization","@id":${`${base}/#organization`},"name":"Valley Herald"},{"@type":"Person","@id":${`${base}/#/schema/person/1`},"name":${it.author}}]}`
    const body = html`<article class="post type-post status-publish format-standard has-post-thumbnail hentry category-${slug(section)}"><header class="entry-header"><span class="cat-links"><a href="/category/${slug(section)}/" rel="category tag">${section}</a></span><h1 class="entry-title">${it.headline}</h1><div class="entry-excerpt"><p>${it.lead}</p></div><div class="entry-meta"><span class="byline">by <span class="author vcard"><a class="url fn n" href="/author/${slug(it.author)}/">${it.author}</a></span></span> <span class="posted-on"><time class="entry-date published" datetime="${it.published}T${it.time}:00+00:00">${day(it.published, 'en-GB')}</time>${updated && html` <time class="updated" datetime="${updated}T09:00:00+00:00">Updated ${day(updated, 'en-GB')}</time>`}</span>${comments && html` <span class="comments-link"><a href="#comments">${comments} Comments</a></span>`}</div></header>
<figure class="post-thumbnail"><img width="1024" height="683" src="${image}" class="wp-post-image" alt=""><figcaption>Photograph: ${personName(random, 'en-GB')}</figcaption></figure><div class="entry-content">${it.paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}</div><footer class="entry-footer"><span class="tags-links">Tagged ${tags.map((tag, place) => html`${place > 0 && ', '}<a href="/tag/${slug(tag)}/" rel="tag">${tag}</a>`)}</span></footer></article><div class="author-box"><h3>About ${it.author}</h3><p>Reporter since 2009, covers the coast.</p></div>`
    const side = html`<section class="widget widget_recent_entries"><h2 class="widget-title">Most read</h2><ul>${otherHeadlines(random, 'en-GB', 5).map((other) => html`<li><a href="/${slug(other.headline)}/">${other.headline}</a> <span class="post-date">${day(other.published, 'en-GB')}</span></li>`)}</ul></section>`
    return {
      path: `/${it.published.slice(0, 7).replace('-', '/')}/${slug(it.headline)}/`,
      html: frame({
        skin: 'wordpress',
        language: 'en-GB',
        site: 'Valley Herald',
        title: `${it.headline} - Valley Herald`,
        description: it.lead,
        body,
        side,
        nav: ['News', 'Sport', 'Business', 'Culture', 'Subscribe for £1'],
        head: structured.jsonLd(ld),
      }),
      expected: present({
        ...{
          headline: it.headline,
          author: it.author,
          publishedAt: it.published,
          updatedAt: updated ?? maybe(it.published),
          section,
          tags,
        },
        ...{ leadImage: image, summary: it.lead, commentCount: comments },
      }),
    }
  },
}

const zeitung: Template = {
  name: 'zeitung-de',
  vertical: 'articles',
  carrier: 'JSON-LD',
  schema: object({
    titel: text('Überschrift ohne Dachzeile'),
    dachzeile: text('Zeile über der Überschrift'),
    autoren: list(text(), 'Namen der Autoren'),
    veroeffentlicht: dateTime('Veröffentlicht am'),
    ressort: text(),
    vorspann: text(),
    bezahlschranke: yes('Artikel nur für Abonnenten'),
    lesedauer_minuten: integer('Lesedauer in Minuten'),
  }),
  page(random, structured) {
    const it = story(random, 'de')
    const kicker = random.pick(['Verkehr', 'Kommunalpolitik', 'Ausbildung'])
    const authors = [it.author, ...(random.chance(0.4) ? [personName(random, 'de')] : [])]
    const section = random.pick(['Lokales', 'Wirtschaft', 'Panorama'])
    const isPaid = random.chance(0.4)
    const minutes = random.chance(0.6) ? random.integer(2, 9) : undefined
    const ld = json`{"@context":"https://schema.org","@type":"NewsArticle","headline":${`${kicker}: ${it.headline}`},"description":${it.lead},"datePublished":${`${it.published}T${it.time}:00+02:00`},"author":${authors.map((name) => json`{"@type":"Person","name":${name}}`)},"isAccessibleForFree":${!isPaid},"publisher":{"@type":"NewsMediaOrganization","name":"Elbtaler Anzeiger"},"articleSection":${section}}`
    const body = html`<nav aria-label="Breadcrumb" class="breadcrumb"><a href="/">Startseite</a> › <a href="/${slug(section)}">${section}</a></nav><article class="article"><header class="article-header"><h2 class="article-heading" itemscope><span class="article-heading__kicker">${kicker}</span><span class="visually-hidden">: </span><span class="article-heading__title">${it.headline}</span></h2>${isPaid && html`<span class="zplus-badge" title="Abo-Inhalt">E+</span>`}<p class="summary">${it.lead}</p><div class="byline">Von ${authors.map((name, place) => html`${place > 0 && ' und '}<a href="/autoren/${slug(name)}">${name}</a>`)}</div><div class="metadata"><time class="metadata__date" datetime="${it.published}T${it.time}:00+02:00">${day(it.published, 'de')}, ${it.time} Uhr</time>${minutes && html`<span class="metadata__reading"> · Lesezeit: ${minutes} Min.</span>`}</div></header>
<div class="article-body">${it.paragraphs.map((paragraph) => html`<p class="paragraph">${paragraph}</p>`)}</div>${isPaid && html`<div class="gate"><p>Jetzt weiterlesen mit E+ für 4,90 € im Monat</p></div>`}</article>`
    const side = html`<h3>Mehr aus ${section}</h3>${otherHeadlines(random, 'de', 4).map((other) => html`<div class="teaser"><span>${random.pick(['Sport', 'Wetter', 'Kultur'])}</span><a href="/${slug(other.headline)}">${other.headline}</a><small>Von ${other.author}, ${dayInDigits(other.published, 'de')}</small></div>`)}`
    return {
      path: `/${slug(section)}/${it.published.slice(0, 7)}/${slug(it.headline)}`,
      html: frame({
        skin: 'bootstrap',
        language: 'de',
        site: 'Elbtaler Anzeiger',
        title: `${kicker}: ${it.headline} | Elbtaler Anzeiger`,
        description: it.lead,
        body,
        side,
        nav: ['Politik', 'Lokales', 'Wirtschaft', 'Sport', 'Abo'],
        head: structured.jsonLd(ld),
      }),
      expected: present({
        ...{
          titel: either(it.headline, `${kicker}: ${it.headline}`),
          dachzeile: kicker,
          autoren: authors,
          veroeffentlicht: `${it.published}T${it.time}:00`,
        },
        ...{
          ressort: section,
          vorspann: it.lead,
          bezahlschranke: isPaid || maybe(false),
          lesedauer_minuten: minutes,
        },
      }),
    }
  },
}

const ghost: Template = {
  name: 'ghost-blog',
  vertical: 'articles',
  carrier: 'Open Graph',
  schema: object({
    title: text(),
    subtitle: text('Excerpt under the title'),
    author: object({ name: text(), profile_url: url() }),
    published: date(),
    primary_tag: text(),
    reading_time: text('e.g. "4 min read"'),
    cover_image: url(),
    site_name: text(),
  }),
  page(random, structured) {
    const it = story(random, 'en-US')
    const tag = random.pick(['Field Notes', 'Essays', 'Interviews'])
    const read = `${random.integer(2, 12)} min read`
    const cover = random.chance(0.7)
      ? `https://static.slowpress.example/content/images/2026/${slug(it.headline)}.png`
      : undefined
    const body = html`<article class="gh-article post tag-${slug(tag)} featured"><header class="gh-article-header gh-canvas"><a class="gh-article-tag" href="/tag/${slug(tag)}/">${tag}</a><h1 class="gh-article-title is-title">${it.headline}</h1><p class="gh-article-excerpt is-body">${it.lead}</p><div class="gh-article-meta"><div class="gh-article-author-image"><a href="/author/${slug(it.author)}/"><img class="author-profile-image" src="/content/images/size/w160/avatar.png" alt="${it.author}"></a></div><div class="gh-article-meta-wrapper"><h4 class="gh-article-author-name"><a href="/author/${slug(it.author)}/">${it.author}</a></h4><div class="gh-article-meta-content"><time class="gh-article-meta-date" datetime="${it.published}">${day(it.published, 'en-US', { day: '2-digit', month: 'short', year: 'numeric' })}</time><span class="gh-article-meta-length"><span class="bull">—</span> ${read}</span></div></div></div>${cover && html`<figure class="gh-article-image"><img src="${cover}" alt="${it.headline}"></figure>`}</header><section class="gh-content gh-canvas is-body">${it.paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}</section></article>
<section class="gh-container is-grid"><h2 class="gh-container-title">Read more</h2>${otherHeadlines(random, 'en-US', 3).map((other) => html`<article class="gh-card post"><a class="gh-card-link" href="/${slug(other.headline)}/"><h3 class="gh-card-title">${other.headline}</h3><p class="gh-card-excerpt">${other.lead}</p><footer class="gh-card-meta"><span class="gh-card-author">By ${other.author}</span><time datetime="${other.published}">${day(other.published, 'en-US', { dateStyle: 'medium' })}</time></footer></a></article>`)}</section>`
    const cards: [string, string][] = cover ? [['og:image', cover]] : []
    return {
      path: `/${slug(it.headline)}/`,
      html: frame({
        skin: 'tailwind',
        language: 'en-US',
        site: 'Slow Press',
        title: it.headline,
        body,
        nav: ['Home', 'About', 'Archive', 'Sign in'],
        head: structured.meta(
          ['og:site_name', 'Slow Press'],
          ['og:type', 'article'],
          ['og:title', it.headline],
          ['og:description', it.lead],
          ['article:published_time', `${it.published}T${it.time}:00.000Z`],
          ['article:tag', tag],
          ...cards,
        ),
      }),
      expected: present({
        ...{
          title: it.headline,
          subtitle: it.lead,
          author: { name: it.author, profile_url: `/author/${slug(it.author)}/` },
          published: it.published,
        },
        ...{ primary_tag: tag, reading_time: read, cover_image: cover, site_name: 'Slow Press' },
      }),
    }
  },
}

export const articles = [newspaper, zeitung, ghost]
