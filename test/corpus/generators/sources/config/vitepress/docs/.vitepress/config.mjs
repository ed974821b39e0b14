import footnote from 'markdown-it-footnote'

const names = 'tutorial concepts faq glossary configuration api cli changelog troubleshooting'.split(' ')

export default {
  title: 'Skerry Manual',
  cleanUrls: true,
  lastUpdated: false,
  markdown: { lineNumbers: true, config: (md) => md.use(footnote) },
  themeConfig: {
    nav: [{ text: 'Guide', link: '/tutorial' }],
    sidebar: [{ text: 'Manual', items: names.map((name) => ({ text: name, link: `/${name}` })) }],
    editLink: { pattern: 'https://git.skerry.test/skerry/edit/main/docs/:path' },
    footer: { message: 'Released under the MIT License.', copyright: 'Copyright 2026 The Skerry Crew' },
  },
}
