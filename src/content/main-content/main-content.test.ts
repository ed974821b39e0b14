import { describe, expect, it } from 'vitest'
import { isWrittenInNoscript } from '../select-content.ts'
import { parseHtml } from '../tree/parse.ts'
import { endOf, isText, root, tagName, textAt } from '../tree/tree.ts'
import type { MainContentMode } from './block-selection.ts'
import { mainContent } from './main-content.ts'

/** Returns the text of the main content, one line for each text node. */
function getMainText(
  html: string,
  url = 'https://example.test/',
  mode: MainContentMode = 'balanced',
): string {
  const tree = parseHtml(html)
  const readsNoscript = isWrittenInNoscript(tree, [root])
  const { skipped } = mainContent({ tree, url, readsNoscript }, mode)
  const lines: string[] = []
  for (let node = root + 1; node < tree.count; node += 1) {
    const isOmitted = skipped[node] === 1 || tagName(tree, node) === 'head'
    if (isOmitted) node = endOf(tree, node) - 1
    else if (isText(tree, node)) lines.push(textAt(tree, node).trim())
  }
  return lines.filter(Boolean).join('\n')
}

const links = (...names: string[]) =>
  `<ul>${names.map((name) => `<li><a href="/${name.toLowerCase().replaceAll(' ', '-')}">${name}</a></li>`).join('')}</ul>`

const header = `<header class="site-header"><a href="/" class="logo">Harbour Herald</a>
  <nav class="main-menu">${links('Home', 'Weather', 'Sport', 'Contact us')}</nav></header>`
const footer = `<footer class="site-footer"><p>Copyright 2026 Harbour Herald. All rights reserved.</p>
  ${links('Privacy policy', 'Terms of use', 'Imprint')}</footer>`

const page = (title: string, body: string) =>
  `<html><head><title>${title} | Harbour Herald</title></head><body>${header}${body}${footer}</body></html>`

const paragraphs = [
  'The harbour of the old town was closed for three days after the storm, and the fishing boats could not leave.',
  'According to the harbour master, waves of more than six metres were measured at the outer wall on Monday night.',
  'The repairs will take until the end of the month, he said, because the stones have to be brought by ship.',
  'Ferries to the islands run again since Thursday, although with fewer departures than usual in this season.',
]

describe('mainContent of an article', () => {
  const html = page(
    'Storm closes harbour for three days',
    `<div class="layout"><main><article class="post">
      <h1 class="entry-title">Storm closes harbour for three days</h1>
      <div class="entry-content">
        <p>${paragraphs[0]}</p><p>${paragraphs[1]}</p>
        <h2>Repairs until the end of the month</h2>
        <p>${paragraphs[2]}</p><p>${paragraphs[3]}</p>
      </div>
      <div class="share-buttons">${links('Share on Facebook', 'Tweet')}</div>
    </article>
    <section class="related-posts"><h3>Related articles</h3>
      ${links('Ten walks along the coast', 'New lighthouse keeper chosen', 'Fish market moves')}</section>
    <section id="comments" class="comments"><h3>2 Comments</h3>
      <div class="comment"><span class="author">Mia</span><p>Glad that nobody was hurt!</p></div>
      <div class="comment"><span class="author">Jon</span><p>My boat is gone.</p></div>
      <form><label>Leave a reply</label><button>Post comment</button></form></section></main>
    <aside class="sidebar"><div class="widget"><h3>Most read</h3>
      ${links('Mayor resigns', 'Bakery wins prize', 'School gets new roof')}</div>
      <div class="widget newsletter"><p>Sign up for our newsletter.</p></div></aside></div>`,
  )
  const text = getMainText(html, 'https://example.test/news/storm-closes-harbour-for-three-days')

  it('contains its title, its headings and all of its paragraphs', () => {
    expect(text.split('\n')).toEqual(
      expect.arrayContaining([
        'Storm closes harbour for three days',
        'Repairs until the end of the month',
        ...paragraphs,
      ]),
    )
  })

  it.each([
    ['the menu', 'Contact us'],
    ['the footer', 'All rights reserved'],
    ['the sidebar', 'Mayor resigns'],
    ['the newsletter', 'newsletter'],
    ['related links', 'Ten walks along the coast'],
    ['buttons to share', 'Tweet'],
    ['the form for comments', 'Leave a reply'],
  ])('omits %s', (_, words) => {
    expect(text).not.toContain(words)
  })

  it('omits comments of readers', () => {
    expect(text).not.toContain('My boat is gone')
  })

  it('is the same for each call', () => {
    expect(getMainText(html, 'https://example.test/news/storm-closes-harbour-for-three-days')).toBe(text)
  })
})

describe('mainContent', () => {
  it('returns every post of a thread', () => {
    const posts = [
      'Since the last update my radio does not find the weather station any more. Did anybody else see this?',
      'Yes, the same here. I had to go back to the old version, then it found the station at once.',
      'Have you tried to set the antenna to the other port? In my case that was enough to get it working.',
      'Thanks, that was it! The antenna was on the wrong port since I moved the boat to the other pier.',
    ]
    const text = getMainText(
      page(
        'Radio does not find the weather station',
        `<div class="topic"><h1>Radio does not find the weather station</h1>
        ${posts
          .map(
            (post, index) => `<div class="post" id="post-${index}"><div class="post-author">
              <a href="/user/${index}">sailor${index}</a><span>Posts: ${index * 17}</span></div>
              <div class="post-body"><p>${post}</p></div></div>`,
          )
          .join('')}</div>
        <div class="similar-topics"><h4>Similar topics</h4>
          ${links('Best radio for small boats', 'Antenna length', 'Battery is empty after a night')}</div>`,
      ),
      'https://example.test/forum/t/radio-does-not-find-the-weather-station/123',
    )
    for (const post of posts) expect(text).toContain(post)
    expect(text).not.toContain('Antenna length')
  })

  it('returns the description of a product', () => {
    const description =
      'This lamp of brass and glass was made for ships and stands every weather. Its light is warm, and the battery lasts for about forty hours.'
    const text = getMainText(
      page(
        'Ship lamp of brass',
        `<main><div class="product" itemscope itemtype="https://schema.org/Product">
        <div class="product-summary"><h1 class="product-title" itemprop="name">Ship lamp of brass</h1>
          <span class="price" itemprop="price">€ 89.00</span><button class="add-to-cart">Add to cart</button></div>
        <div class="product-description" itemprop="description"><h2>Description</h2><p>${description}</p>
          <ul><li>Height: 32 cm, weight: 1.4 kg</li><li>Made of solid brass and thick glass</li></ul></div></div></main>`,
      ),
      'https://example.test/products/ship-lamp-of-brass',
    )
    expect(text).toContain('Ship lamp of brass')
    expect(text).toContain(description)
  })

  it('returns everything except certain boilerplate for a page of a few words', () => {
    expect(getMainText('<nav><a href=/>Home</a></nav><p>We are moving. Back soon.</p>')).toBe(
      'We are moving. Back soon.',
    )
    expect(getMainText('<main><p>Closed.</p></main>')).toBe('Closed.')
  })

  it('begins with the title, at any position on the page', () => {
    const text = getMainText(
      page(
        'Storm closes harbour',
        `<div class="hero"><div class="hero-inner"><h1>Storm closes harbour</h1></div></div>
        <div class="text">${paragraphs.map((text) => `<p>${text}</p>`).join('')}</div>`,
      ),
    )
    expect(text.split('\n')[0]).toBe('Storm closes harbour')
  })

  it('reads noscript if the text is only there', () => {
    const text = getMainText(
      page(
        'Storm closes harbour',
        `<div id="app"></div><noscript><div class="topic"><h1>Storm closes harbour</h1>
        ${paragraphs.map((text) => `<div class="post"><p>${text}</p></div>`).join('')}</div></noscript>`,
      ),
    )
    for (const paragraph of paragraphs) expect(text).toContain(paragraph)
  })

  it('keeps a table between paragraphs complete', () => {
    const rows = Array.from({ length: 8 }, (_, row) => [
      `Pier ${row + 1}`,
      `${row + 3} boats`,
      `${row * 2} m`,
    ])
    const table = `<table><tr><th>Pier</th><th>Boats</th><th>Depth</th></tr>
      ${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`
    const text = getMainText(
      page(
        'Piers of the harbour',
        `<main><h1>Piers of the harbour</h1><p>${paragraphs[0]}</p>${table}<p>${paragraphs[1]}</p></main>`,
      ),
    ).split('\n')
    expect(text).toEqual(expect.arrayContaining(rows.flat()))
  })

  it.each([
    ['only links', links('One thing', 'Another thing', 'A third thing').repeat(12)],
    ['only a footer', `<footer>${`<p>${paragraphs.join(' ')}</p>`.repeat(2)}</footer>`],
    ['only a menu', `<nav class="menu">${links('Home', 'News', 'Sport')}</nav>`],
    ['one word', 'Hello'],
    ['a hidden text', `<div style="display:none">${paragraphs.join(' ')}</div>`],
  ])('is not empty for a page with %s', (_, body) => {
    expect(getMainText(`<body>${body}</body>`)).not.toBe('')
  })

  it('is empty for an empty page', () => {
    expect(getMainText('')).toBe('')
    expect(getMainText('<body><div></div></body>')).toBe('')
  })

  it('returns the complete landmark element in mode container', () => {
    const text = `<p>${'The harbour was closed for three days after the storm, and no boat could leave. '.repeat(12)}</p>`
    const lines =
      '<div><span>Filed under</span> <a href="/storms">Storms</a></div><p><a href="/next">Next</a></p>'
    const html = page('Storm', `${header}<main><h1>Storm</h1><div>${text}</div>${lines}</main>${footer}`)
    const found = getMainText(html, 'https://example.test/storm', 'container')
    expect(found).toContain('Filed under\nStorms\nNext')
    expect(found).not.toContain('Copyright')
  })
})
