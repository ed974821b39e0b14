import { type Html, html, raw } from './html.ts'
import type { Language } from './locale.ts'
import { skins } from './skins.ts'
import { slug } from './words.ts'

/** What surrounds the content of a page; everything in it is noise to a reader. */
export interface Frame {
  skin: keyof typeof skins
  language: Language
  /** Name of the site. */
  site: string
  title: string
  description?: string
  /** Links of the header. */
  nav: readonly string[]
  head?: Html
  /** Beside the content. */
  side?: Html
  body: Html
  /** Of `<body>`. */
  attributes?: Html
  /** Behind everything else: state of scripts. */
  end?: Html
}

/** A whole page: head, cookie banner, navigation, content, side bar, footer. */
export function frame(page: Frame): Html {
  const { language, title, description, head, attributes } = page
  const words = chromeWords[language]
  return html`<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
${description && html`<meta name="description" content="${description}">`}
<link rel="stylesheet" href="/assets/main.css?v=4.2.1">
${head}</head>
<body${attributes}>
${skins[page.skin](page, words)}
<div class="${page.skin}-links"><ul>${words.menu.split('|').map((name) => html`<li><a href="/${slug(name)}">${name}</a></li>\n`)}</ul></div>
${page.end}<script>${raw(script)}</script>
</body>
</html>
`
}

/** Pages carry more script than text. */
const script = `window.dataLayer=window.dataLayer||[];${Array.from(
  { length: 60 },
  (_, place) => `window.dataLayer.push({event:"module",index:${place},price:"0.00",visible:true});`,
).join('')}`

export interface ChromeWords {
  /** Links that every page of a site has and nobody reads. */
  menu: string
  cookies: string
  accept: string
  search: string
  newsletter: string
  contact: string
  imprint: string
  rights: string
}

const chromeWords: Record<Language, ChromeWords> = {
  'en-GB': {
    menu: 'Help centre|Delivery and returns|Gift vouchers|Store finder|Careers|Press office|Sustainability|Modern slavery statement|Student discount|Trade accounts|Size guide|Track my order|Site map|Accessibility|Terms',
    cookies: 'We use cookies to improve your experience. By continuing you agree to our cookie policy.',
    ...{ accept: 'Accept all', search: 'Search', newsletter: 'Sign up to our newsletter and get £5 off' },
    ...{
      contact: 'Call us: 0800 555 0199 (Mon–Fri 9am–5pm)',
      imprint: 'Privacy',
      rights: 'All rights reserved.',
    },
  },
  'en-US': {
    menu: 'Help Center|Shipping & Returns|Gift Cards|Find a Store|Careers|Investors|Sustainability|Do Not Sell My Info|Military Discount|Affiliates|Size Chart|Order Status|Site Map|Accessibility|Terms',
    cookies: 'This website uses cookies and similar technologies for analytics and advertising.',
    ...{ accept: 'OK, got it', search: 'Search', newsletter: 'Get 10% off your first order' },
    ...{
      contact: 'Questions? (800) 555-0142 · help@support.example',
      imprint: 'Terms of Use',
      rights: 'All rights reserved.',
    },
  },
  de: {
    menu: 'Hilfe und Kontakt|Versand und Rückgabe|Gutscheine|Filialen|Karriere|Presse|Nachhaltigkeit|Lieferkette|Newsletter|Geschäftskunden|Größentabelle|Sendung verfolgen|Übersicht|Barrierefreiheit|AGB',
    cookies:
      'Diese Website verwendet Cookies. Einige sind notwendig, andere helfen uns, das Angebot zu verbessern.',
    ...{
      accept: 'Alle akzeptieren',
      search: 'Suchbegriff',
      newsletter: 'Newsletter: jetzt 5 € Gutschein sichern',
    },
    ...{
      contact: 'Service-Hotline 0800 / 555 01 77, Mo–Fr 8–18 Uhr',
      imprint: 'Impressum',
      rights: 'Alle Preise inkl. MwSt.',
    },
  },
  fr: {
    menu: 'Aide et contact|Livraison et retours|Cartes cadeaux|Nos adresses|Recrutement|Presse|Engagements|Plan du site|Parrainage|Professionnels|Guide des tailles|Suivi de commande|Accessibilité|Données personnelles|CGV',
    cookies: 'Nous utilisons des cookies pour mesurer l’audience et personnaliser les contenus.',
    ...{
      accept: 'Tout accepter',
      search: 'Rechercher',
      newsletter: 'Inscrivez-vous à la newsletter : 10 € offerts',
    },
    ...{
      contact: 'Contact : 09 70 55 01 23, du lundi au vendredi',
      imprint: 'Mentions légales',
      rights: 'Tous droits réservés',
    },
  },
  es: {
    menu: 'Ayuda|Envíos y devoluciones|Tarjetas regalo|Tiendas|Empleo|Prensa|Sostenibilidad|Canal ético|Afiliados|Empresas|Guía de tallas|Seguimiento|Mapa web|Accesibilidad|Condiciones',
    cookies: 'Utilizamos cookies propias y de terceros para fines analíticos.',
    ...{ accept: 'Aceptar todas', search: 'Buscar', newsletter: 'Suscríbete y recibe 5 € de descuento' },
    ...{
      contact: 'Atención al cliente: 900 555 011',
      imprint: 'Aviso legal',
      rights: 'Todos los derechos reservados',
    },
  },
  ja: {
    menu: 'ヘルプ|配送と返品|ギフト券|店舗検索|採用情報|プレス|環境への取り組み|会社概要|法人のお客様|サイズ表|配送状況|サイトマップ|利用規約|個人情報保護|アクセシビリティ',
    cookies: '当サイトではCookieを使用しています。',
    ...{ accept: '同意する', search: '検索', newsletter: 'メルマガ登録で500円クーポン' },
    ...{
      contact: 'お問い合わせ 0120-555-018(平日9:00〜17:00)',
      imprint: '特定商取引法に基づく表記',
      rights: '無断転載禁止',
    },
  },
}
