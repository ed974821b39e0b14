module.exports = {
  title: 'Skerry Manual',
  url: 'https://docs.skerry.test',
  baseUrl: '/',
  onBrokenLinks: 'ignore',
  presets: [
    [
      'classic',
      {
        docs: { routeBasePath: '/', editUrl: 'https://git.skerry.test/skerry/edit/main/', showLastUpdateTime: false },
        blog: false,
      },
    ],
  ],
  themeConfig: {
    announcementBar: { id: 'race', content: 'The round the island race starts on the first of June.' },
    navbar: { title: 'Skerry', items: [{ href: 'https://git.skerry.test/skerry', label: 'Source code' }] },
    footer: {
      style: 'dark',
      links: [{ title: 'Community', items: [{ label: 'Pontoon chat', href: 'https://chat.skerry.test' }] }],
      copyright: 'Copyright 2026 The Skerry Crew. Built with Docusaurus.',
    },
  },
}
