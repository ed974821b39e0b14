import { readFileSync } from 'node:fs'

/** Parts that site owners add around a template: a mega menu, a consent dialog, a newsletter form, footer links. */
const { noise } = JSON.parse(readFileSync(new URL('../data.json', import.meta.url), 'utf8'))

const links = (texts) =>
  texts.map((text) => `<li><a href="/${text.toLowerCase().replaceAll(' ', '-')}">${text}</a></li>`).join('')
const buttons = (name) =>
  noise.consentButtons.map((text) => `<button type="button" class="${name}">${text}</button>`).join('')

/** Consent dialogs in the markup of common tools. */
const dialogs = [
  `<div id="onetrust-consent-sdk"><div class="onetrust-pc-dark-filter"></div><div id="onetrust-banner-sdk" class="otFlat bottom" role="dialog" aria-label="Cookie banner"><div class="ot-sdk-container"><div id="onetrust-policy"><h2 id="onetrust-policy-title">About your privacy</h2><div id="onetrust-policy-text">${noise.consent} ${noise.consentMore}</div></div><div id="onetrust-button-group">${buttons('ot-btn')}</div></div></div></div>`,
  `<div role="dialog" aria-live="polite" aria-label="cookieconsent" class="cc-window cc-banner cc-type-opt-in cc-theme-block"><span id="cookieconsent:desc" class="cc-message">${noise.consent} ${noise.consentMore}</span><div class="cc-compliance cc-highlight">${buttons('cc-btn')}</div></div>`,
  `<div class="cookie-notice-container"><div class="inner"><p>${noise.consent}</p><p>${noise.consentMore}</p>${buttons('btn btn-link')}</div></div>`,
  `<section class="privacy-layer" data-nosnippet><h3>Before you go on</h3><p>${noise.consent}</p><p>${noise.consentMore}</p><p>${buttons('layer-button')}</p></section>`,
]
const menus = [
  `<nav class="mega-menu"><ul class="mega-menu__list">${links(noise.menu)}</ul></nav>`,
  `<div class="site-bar"><div class="inner"><ul class="level0">${links(noise.menu)}</ul></div></div>`,
]
const forms = [
  `<section class="newsletter-signup"><h3>Stay in touch</h3><p>${noise.newsletter}</p><form action="/subscribe"><input type="email" name="mail" placeholder="Your address"><button>Sign up</button></form></section>`,
  `<div class="block newsletter"><div class="title"><strong>Newsletter</strong></div><div class="content"><form class="form subscribe"><label>${noise.newsletter}<input type="email" name="email"></label><button type="submit">Subscribe</button></form></div></div>`,
]
const footers = [
  `<footer class="site-footer"><ul>${links(noise.footer)}</ul><p>© 2026 All prices include tax and exclude delivery.</p></footer>`,
  `<div class="bottom-links"><ul>${links(noise.footer)}</ul><small>© 2026 All prices include tax and exclude delivery.</small></div>`,
]

/** Returns the page with surroundings, and the texts of the surroundings, which are not content. */
export function surround(html, index, isShop) {
  const pick = (all) => all[index % all.length]
  const first = `${isShop ? pick(menus) : ''}${index % 2 === 0 ? pick(dialogs) : ''}`
  const last = `${isShop ? pick(forms) : ''}${pick(footers)}${index % 2 === 1 ? pick(dialogs) : ''}`
  const inner = html.replace(/<body[^>]*>/i, (tag) => `${tag}\n${first}`)
  const bodyEnd = inner.toLowerCase().lastIndexOf('</body>')
  if (bodyEnd === -1 || inner === html) throw new Error('no body')
  const absent = [
    noise.consent,
    noise.consentMore,
    ...noise.consentButtons,
    'Returns within thirty days',
    ...(isShop ? [noise.newsletter, 'Trail shoes', 'Track my parcel'] : []),
  ]
  return { html: `${inner.slice(0, bodyEnd)}${last}\n${inner.slice(bodyEnd)}`, absent }
}
