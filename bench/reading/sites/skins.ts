import type { ChromeWords, Frame } from './frame.ts'
import { type Html, html } from './html.ts'
import { slug } from './words.ts'

type Skin = (page: Frame, words: ChromeWords) => Html

const links = (nav: readonly string[], attributes = '') =>
  nav.map((name) => html`<a href="/${slug(name)}"${attributes && html` class="${attributes}"`}>${name}</a>\n`)
const listed = (nav: readonly string[], attributes: string) =>
  html`<ul class="${attributes}">${nav.map((name) => html`<li class="menu-item"><a href="/${slug(name)}">${name}</a></li>`)}</ul>`

/** How systems of the web dress a page. */
export const skins = {
  wordpress: ({ site, nav, side, body }, words) => html`
<div id="page" class="hfeed site">
<a class="skip-link screen-reader-text" href="#content">Skip to content</a>
<header id="masthead" class="site-header"><div class="site-branding"><p class="site-title"><a href="/" rel="home">${site}</a></p></div>
<nav id="site-navigation" class="main-navigation">${listed(nav, 'menu nav-menu')}</nav>
<form role="search" class="search-form"><input type="search" placeholder="${words.search} …" name="s"></form></header>
<div id="content" class="site-content"><div id="primary" class="content-area"><main id="main" class="site-main">
${body}
</main></div>
${side && html`<div id="secondary" class="widget-area" role="complementary">${side}</div>`}
</div>
<footer id="colophon" class="site-footer"><div class="widget"><h2 class="widget-title">${site}</h2><p>${words.contact}</p><p>${words.newsletter}</p></div>
<div class="site-info">© 2026 ${site}. ${words.rights} ${links([words.imprint])}</div></footer></div>
<div id="cookie-notice" role="dialog" class="cookie-notice-visible"><span id="cn-notice-text">${words.cookies}</span><a href="#" class="cn-button">${words.accept}</a></div>`,

  bootstrap: ({ site, nav, side, body }, words) => html`
<div class="alert alert-info alert-dismissible cookiealert" role="alert">${words.cookies} <button type="button" class="btn btn-primary btn-sm acceptcookies">${words.accept}</button></div>
<nav class="navbar navbar-expand-lg navbar-light bg-light"><div class="container"><a class="navbar-brand" href="/">${site}</a>
<ul class="navbar-nav me-auto">${nav.map((name) => html`<li class="nav-item"><a class="nav-link" href="/${slug(name)}">${name}</a></li>`)}</ul></div></nav>
<div class="container my-4"><div class="row"><div class="${side ? 'col-lg-8' : 'col-12'}">
${body}
</div>${side && html`<aside class="col-lg-4">${side}</aside>`}</div></div>
<footer class="bg-dark text-light py-4"><div class="container"><div class="row"><div class="col-md-4"><h5>${site}</h5><p class="small">${words.contact}</p></div>
<div class="col-md-4"><h5>${words.newsletter}</h5><input type="email" class="form-control"></div></div><p class="text-muted small">© ${site} 2026 – ${words.rights}</p></div></footer>`,

  tailwind: ({ site, nav, side, body }, words) => html`
<div class="min-h-screen flex flex-col antialiased"><div class="sticky top-0 z-40 w-full backdrop-blur border-b"><div class="max-w-7xl mx-auto px-4 flex items-center justify-between h-16">
<a href="/" class="text-xl font-bold tracking-tight">${site}</a><div class="hidden md:flex gap-6 text-sm">${links(nav, 'text-slate-600 hover:text-slate-900')}</div></div></div>
<div class="flex-1 max-w-7xl mx-auto px-4 py-8 grid grid-cols-12 gap-8"><div class="col-span-12 lg:col-span-8">
${body}
</div>${side && html`<div class="col-span-12 lg:col-span-4 space-y-6">${side}</div>`}</div>
<div class="border-t bg-slate-50"><div class="max-w-7xl mx-auto px-4 py-10 text-xs text-slate-500"><div>${words.contact}</div><div>${words.newsletter}</div><div>© 2026 ${site} · ${words.rights}</div></div></div>
<div class="fixed bottom-4 inset-x-4 rounded-lg shadow-lg bg-white p-4 text-sm">${words.cookies}<button class="ml-4 px-3 py-1 rounded bg-black text-white">${words.accept}</button></div></div>`,

  drupal: ({ site, nav, side, body }, words) => html`
<div class="dialog-off-canvas-main-canvas" data-off-canvas-main-canvas><div class="layout-container">
<header role="banner"><div class="region region-header"><div id="block-site-branding" class="block block-system"><a href="/" title="Home" rel="home">${site}</a></div>
<nav role="navigation" id="block-main-menu" class="block block-menu navigation">${listed(nav, 'menu')}</nav></div></header>
<main role="main"><a id="main-content" tabindex="-1"></a><div class="layout-content"><div class="region region-content"><div id="block-content" class="block block-system block-system-main-block">
${body}
</div></div></div>${side && html`<aside class="layout-sidebar-second" role="complementary"><div class="region region-sidebar-second">${side}</div></aside>`}</main>
<footer role="contentinfo"><div class="region region-footer"><p>${words.contact}</p><p>© ${site} | ${links([words.imprint])}</p></div></footer></div></div>
<div id="sliding-popup" class="eu-cookie-compliance-banner"><p>${words.cookies}</p><button class="agree-button">${words.accept}</button></div>`,

  tables: ({ site, nav, side, body }, words) => html`
<center><table width="780" border="0" cellpadding="0" cellspacing="0"><tr><td colspan="2" bgcolor="#003366"><font face="Arial" size="5" color="#ffffff"><b>${site}</b></font></td></tr>
<tr><td colspan="2" bgcolor="#cccccc"><font face="Arial" size="2">${nav.map((name) => html`| <a href="${slug(name)}.html">${name}</a> `)}|</font></td></tr>
<tr><td width="160" valign="top" bgcolor="#eeeeee"><font face="Arial" size="1">${side ?? words.newsletter}</font></td><td valign="top" width="620">
${body}
</td></tr><tr><td colspan="2" align="center"><hr><font size="1">${words.contact}<br>&copy; 1999-2026 ${site}. ${words.rights} <a href="impressum.html">${words.imprint}</a></font></td></tr></table></center>`,

  react: ({ site, nav, side, body }, words) => html`
<div id="__next"><div class="css-1q9d8k2"><header class="css-7x3m1p" data-testid="global-header"><a href="/" class="css-0k2j" aria-label="${site}">${site}</a><nav class="css-a81z">${links(nav, 'css-p0q1')}</nav></header>
<main class="css-m4n5"><div class="css-rt55" data-testid="page-body">
${body}
</div>${side && html`<div class="css-zz91" data-testid="side-rail">${side}</div>`}</main>
<footer class="css-f00t" data-testid="global-footer"><p class="css-9sml">${words.contact}</p><p class="css-9sml">${words.newsletter}</p><p class="css-9sml">© 2026 ${site}</p></footer></div></div>
<div role="dialog" aria-modal="true" class="css-ck88" data-testid="consent-banner"><p>${words.cookies}</p><button type="button">${words.accept}</button></div>`,

  government: ({ site, nav, side, body }, words) => html`
<a href="#main-content" class="govuk-skip-link">Skip to main content</a>
<div class="govuk-cookie-banner" role="region" aria-label="Cookies"><p class="govuk-body">${words.cookies}</p><button class="govuk-button">${words.accept}</button></div>
<header class="govuk-header" role="banner"><div class="govuk-header__container"><a href="/" class="govuk-header__link">${site}</a></div></header>
<div class="govuk-width-container"><div class="govuk-breadcrumbs"><ol class="govuk-breadcrumbs__list">${nav.map((name) => html`<li class="govuk-breadcrumbs__list-item"><a href="/${slug(name)}">${name}</a></li>`)}</ol></div>
<main class="govuk-main-wrapper" id="main-content" role="main"><div class="govuk-grid-row"><div class="govuk-grid-column-two-thirds">
${body}
</div>${side && html`<div class="govuk-grid-column-one-third">${side}</div>`}</div></main></div>
<footer class="govuk-footer" role="contentinfo"><p>${words.contact}</p>${links([words.imprint, 'Accessibility statement'])}<p>© Crown copyright</p></footer>`,
} satisfies Record<string, Skin>
