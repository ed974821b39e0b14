import { type Post, type Topic, topics } from '../sources/forum.ts'
import { each, expected, type TemplatePage } from './page.ts'

const base = 'https://forum.skerry.test'
const topicUrl = ({ slug, id }: Topic) => `${base}/t/${slug}/${id}`

const chrome = [
  'Powered by',
  'best viewed with JavaScript',
  'Privacy Policy',
  'Terms of Service',
  'Guidelines',
  'next page',
  'Log In',
  'Sign Up',
  'Skip to main content',
  'Suggested Topics',
  'Want to read more',
]

const metaOf = (title: string) =>
  `<meta charset="utf-8"><title>${title} - Skerry Forum</title><meta name="generator" content="Discourse 3.3.0"><meta property="og:site_name" content="Skerry Forum"><meta property="og:title" content="${title}">`

/** Returns the page for visitors without scripts. */
function crawlerLayout(title: string, main: string): string {
  return `<!DOCTYPE html>
<html lang="en"><head>${metaOf(title)}</head><body class="crawler">
<header><a href="/">Skerry Forum</a></header>
<div id="main-outlet" class="wrap" role="main">
${main}
</div>
<footer class="container wrap"><nav class='crawler-nav'><ul><li itemscope itemtype='http://schema.org/SiteNavigationElement'><span itemprop='name'><a href='/' itemprop="url">Home </a></span></li><li itemscope itemtype='http://schema.org/SiteNavigationElement'><span itemprop='name'><a href='/categories' itemprop="url">Categories </a></span></li><li itemscope itemtype='http://schema.org/SiteNavigationElement'><span itemprop='name'><a href='/guidelines' itemprop="url">Guidelines </a></span></li><li itemscope itemtype='http://schema.org/SiteNavigationElement'><span itemprop='name'><a href='/tos' itemprop="url">Terms of Service </a></span></li><li itemscope itemtype='http://schema.org/SiteNavigationElement'><span itemprop='name'><a href='/privacy' itemprop="url">Privacy Policy </a></span></li></ul></nav><p class='powered-by-link'>Powered by <a href="https://www.discourse.org">Discourse</a>, best viewed with JavaScript enabled</p></footer>
</body></html>\n`
}

const crawlerPost = (post: Post, index: number) =>
  `<div id='post_${index + 1}' itemprop='${index === 0 ? 'articleBody' : 'comment'}' itemscope itemtype='http://schema.org/Comment' class='topic-body crawler-post'><div class='crawler-post-meta'><span class="creator" itemprop="author" itemscope itemtype="http://schema.org/Person"><a itemprop="url" rel='nofollow' href='${base}/u/${post.author}'><span itemprop='name'>${post.author}</span></a></span><link itemprop="mainEntityOfPage" href="/t/x"><span class="crawler-post-infos"><time itemprop='datePublished' class='post-time'>${post.date}</time><meta itemprop='dateModified' content=''><span itemprop='position'>${index + 1}</span></span></div><div class='post' itemprop='text'>${post.html}</div><div itemprop="interactionStatistic" itemscope itemtype="http://schema.org/InteractionCounter"><meta itemprop="interactionType" content="http://schema.org/LikeAction"><meta itemprop="userInteractionCount" content="${index}"><span class='post-likes'>${index > 0 ? `${index} Likes` : ''}</span></div></div>`

function listTable(listedTopics: Topic[]): string {
  return `<div class="topic-list-container" itemscope itemtype='http://schema.org/ItemList'><meta itemprop='itemListOrder' content='http://schema.org/ItemListOrderDescending'><table class='topic-list'><thead><tr><th>Topic</th><th></th><th class="replies">Replies</th><th class="views">Views</th><th>Activity</th></tr></thead><tbody>${each(listedTopics, (topic, index) => `<tr class="topic-list-item" id="topic-list-item-${topic.id}"><td class="main-link" itemprop='itemListElement' itemscope itemtype='http://schema.org/ListItem'><meta itemprop='name' content='${topic.title}'><meta itemprop='url' content='${topicUrl(topic)}'><meta itemprop='position' content='${index + 1}'><span class="link-top-line"><a itemprop='url' href='${topicUrl(topic)}' class='title raw-link raw-topic-link'>${topic.title}</a></span><div class="link-bottom-line"><a href='/c/${topic.category.toLowerCase()}/4' class='badge-wrapper bullet'><span class='badge-category-bg'></span><span class='badge-category clear-badge'><span class='category-name'>${topic.category}</span></span></a><div class="discourse-tags">${each(topic.tags, (tag) => `<a href='${base}/tag/${tag}' class='discourse-tag'>${tag}</a>`)}</div></div></td><td class="posters">${each([...new Set(topic.posts.map((post) => post.author))], (author) => `<a href="${base}/u/${author}"><img width="25" height="25" src="/user_avatar/${author}/25.png" class="avatar" title='${author}'></a>`)}</td><td class="replies"><span class='posts' title='posts'>${topic.posts.length - 1}</span></td><td class="views"><span class='views' title='views'>${topic.views}</span></td><td>${topic.posts.at(-1)?.date}</td></tr>`)}</tbody></table></div>`
}

const expectTopic = (topic: Topic, others: Topic[]) => ({
  lines: topic.posts.flatMap((post) => post.lines),
  text: topic.posts.flatMap((post) => post.text),
  inOrder: topic.posts.map((post) => [post.author, post.date, post.text[0] ?? '']),
  not: [...chrome, ...others.map((other) => other.title)],
})

function crawlerTopic(name: string, topic: Topic, others: Topic[]): TemplatePage {
  const main = `<div id="topic-title"><h1><a href="/t/${topic.slug}/${topic.id}">${topic.title}</a></h1><div class="topic-category" itemscope itemtype="http://schema.org/BreadcrumbList"><span itemprop="itemListElement" itemscope itemtype="http://schema.org/ListItem"><a href="/c/${topic.category.toLowerCase()}/4" class="badge-wrapper bullet" itemprop="item"><span class='badge-category-bg'></span><span class='badge-category clear-badge'><span class='category-name' itemprop='name'>${topic.category}</span></span></a><meta itemprop="position" content="1"></span></div><div class="topic-category"><div class='discourse-tags list-tags'>${each(topic.tags, (tag) => `<a href='${base}/tag/${tag}' class='discourse-tag' rel="tag">${tag}</a>`)}</div></div></div>
<div itemscope itemtype='http://schema.org/DiscussionForumPosting'><meta itemprop='headline' content='${topic.title}'><link itemprop='url' href='${topicUrl(topic)}'><meta itemprop='articleSection' content='${topic.category}'>${each(topic.posts, crawlerPost)}</div>
<div role='navigation' itemscope itemtype='http://schema.org/SiteNavigationElement' class="topic-body crawler-post"><span itemprop='name'><b><a rel="next" itemprop="url" href="/t/${topic.slug}/${topic.id}?page=2">next page &rarr;</a></b></span></div>
<div id="related-topics" class="more-topics__list" role="complementary" aria-labelledby="related-topics-title"><h3 id="related-topics-title" class="more-topics__list-title">Related topics</h3>${listTable(others)}</div>`
  const topicExpectation = expectTopic(topic, others)
  const lines = [`# ${topic.title}`, ...topicExpectation.lines]
  return {
    name,
    html: crawlerLayout(topic.title, main),
    expectation: expected(topicUrl(topic), { ...topicExpectation, lines }),
  }
}

/** Returns the page as a browser renders it. */
function renderedTopic(name: string, topic: Topic, others: Topic[]): TemplatePage {
  const posts = each(
    topic.posts,
    (post, index) =>
      `<div class="topic-post clearfix regular" data-post-number="${index + 1}"><article id="post_${index + 1}" role="region" aria-label="post #${index + 1} by @${post.author}" data-post-id="${index}" class="boxed onscreen-post"><div class="post__row row"><div class="topic-avatar"><div class="post-avatar"><a class="trigger-user-card main-avatar" data-user-card="${post.author}" href="/u/${post.author}" tabindex="-1"><img alt="" width="48" height="48" src="/user_avatar/${post.author}/48.png" class="avatar"></a></div></div><div class="post__body topic-body clearfix"><div role="heading" aria-level="2" class="topic-meta-data"><div class="names trigger-user-card"><span class="first username"><a href="/u/${post.author}" data-user-card="${post.author}">${post.author}</a></span></div><div class="post-infos"><div class="post-info post-date"><a class="post-date" title="Post date" href="${topicUrl(topic)}/${index + 1}"><span class="relative-date" title="${post.date}">${post.date}</span></a></div></div></div><div class="post__contents regular contents"><div class="cooked">${post.html}</div><section class="post__menu-area post-menu-area clearfix"><nav class="post-controls collapsed"><div class="actions"><button class="btn no-text btn-icon btn-flat toggle-like" title="like this post" type="button"></button><button class="btn no-text btn-icon btn-flat post-action-menu__copy-link" title="copy a link to this post to clipboard" type="button"></button><button class="btn btn-icon-text btn-flat reply create fade-out" title="begin composing a reply to this post" type="button"><span class="d-button-label">Reply</span></button></div></nav></section></div></div></div></article></div>`,
  )
  const html = `<!DOCTYPE html>
<html lang="en"><head>${metaOf(topic.title)}</head><body class="docked has-sidebar-page">
<section id="main" class="ember-application"><div id="skip-link-wrapper"><a href="#main-container" id="skip-link" class="skip-link">Skip to main content</a></div><header class="d-header"><div class="wrap"><div class="contents"><div class="title"><a href="/"><h1 id="site-text-logo" class="text-logo">Skerry Forum</h1></a></div><div class="panel" role="navigation"><span class="header-buttons"><button class="btn btn-icon-text btn-primary btn-small sign-up-button">Sign Up</button><button class="btn btn-icon-text btn-primary btn-small login-button">Log In</button></span></div></div></div></header>
<div id="main-outlet-wrapper" class="wrap"><div class="sidebar-wrapper"><div id="d-sidebar" class="sidebar-container"><div class="sidebar-sections"><div class="sidebar-section sidebar-section-wrapper"><ul class="sidebar-section-content"><li class="sidebar-section-link-wrapper"><a class="sidebar-section-link sidebar-row" href="/latest"><span class="sidebar-section-link-content-text">All the latest</span></a></li><li class="sidebar-section-link-wrapper"><a class="sidebar-section-link sidebar-row" href="/about"><span class="sidebar-section-link-content-text">About this forum</span></a></li></ul></div></div></div></div>
<div id="main-outlet"><div class="regular ember-view"><div id="topic-title" class="ember-view"><div class="title-wrapper"><h1 data-topic-id="${topic.id}"><a href="/t/${topic.slug}/${topic.id}" class="fancy-title"><span>${topic.title}</span></a></h1><div class="topic-category"><a class="badge-category__wrapper" href="/c/${topic.category.toLowerCase()}/4"><span class="badge-category"><span class="badge-category__name">${topic.category}</span></span></a><div class="topic-header-extra"><div class="list-tags"><div class="discourse-tags">${each(topic.tags, (tag) => `<a href="/tag/${tag}" class="discourse-tag simple">${tag}</a>`)}</div></div></div></div></div></div>
<div class="container posts"><div class="timeline-container"><div class="topic-timeline"><div class="timeline-scrollarea"><div class="timeline-date-wrapper"><a class="start-date" href="${topicUrl(topic)}/1"><span>the first post</span></a></div><div class="timeline-replies">1 / ${topic.posts.length}</div></div></div></div><div class="row"><section id="topic" class="topic-area"><div class="posts-wrapper"><div class="post-stream">${posts}</div></div><div class="topic-map --bottom"><section class="topic-map__contents"><div class="topic-map__stats"><button class="btn no-text topic-map__views-trigger"><span class="number">${topic.views}</span><span class="topic-map__stat-label">views</span></button></div></section></div></section></div>
<div class="more-content-wrapper"><div id="suggested-topics" class="suggested-topics" role="complementary"><h3 class="suggested-topics-title">Suggested Topics</h3><div class="topics"><table class="topic-list"><tbody>${each(others, (other) => `<tr class="topic-list-item"><td class="main-link clearfix topic-list-data"><span class="link-top-line"><a href="${topicUrl(other)}" class="title raw-link raw-topic-link">${other.title}</a></span></td><td class="num posts-map posts topic-list-data"><span class="number">${other.posts.length - 1}</span></td></tr>`)}</tbody></table></div><h3 class="more-topics__browse-more">Want to read more? Browse other topics in <a href="/c/x/4">${topic.category}</a> or <a href="/latest">view latest topics</a>.</h3></div></div></div></div></div></div></section>
<div id="data-preloaded" data-preloaded="{}"></div></body></html>\n`
  const topicExpectation = expectTopic(topic, others)
  const not = [...topicExpectation.not, 'All the latest', 'About this forum', 'the first post']
  return {
    name,
    html,
    expectation: expected(topicUrl(topic), {
      ...topicExpectation,
      not,
      lines: [`# ${topic.title}`, ...topicExpectation.lines],
    }),
  }
}

function listPage(
  name: string,
  path: string,
  heading: string,
  title: string,
  listedTopics: Topic[],
): TemplatePage {
  return {
    name,
    html: crawlerLayout(
      title,
      `${heading}${listTable(listedTopics)}<div role='navigation' itemscope itemtype='http://schema.org/SiteNavigationElement'><span itemprop='name'><b><a rel="next" itemprop="url" href="?page=1">next page &rarr;</a></b></span></div>`,
    ),
    expectation: expected(base + path, {
      text: listedTopics.map((topic) => `[${topic.title}](${topicUrl(topic)})`),
      inOrder: [
        ['Topic', 'Replies', 'Views', 'Activity'],
        ...listedTopics.map((topic) => [
          topic.title,
          topic.category,
          ...topic.tags,
          `${topic.posts.length - 1}`,
          `${topic.views}`,
          topic.posts.at(-1)?.date ?? '',
        ]),
      ],
      // The link to the next page is not removed on every list.
      not: chrome.filter((text) => text !== 'next page'),
    }),
  }
}

const categories: [name: string, text: string][] = [
  ['Help', 'When a gauge does not do what it should.'],
  ['Gear', 'Anchors, sensors and what else can break.'],
  ['News', 'What is new in the library.'],
  ['Meetings', 'Where we dry out together.'],
]

const categoriesPage: TemplatePage = {
  name: 'categories',
  html: crawlerLayout(
    'Categories',
    `<h1 class="crawler-categories-title">Categories</h1><table class='category-list' itemscope itemtype='http://schema.org/ItemList'><thead><tr><th class="category">Category</th><th class="topics">Topics</th></tr></thead><tbody>${each(categories, ([category, text], index) => `<tr><td class="category" style="border-color: #0088CC;" itemprop='itemListElement' itemscope itemtype='http://schema.org/ListItem'><meta itemprop='position' content='${index + 1}'><h3><a href='/c/${category.toLowerCase()}/${index}' itemprop='item'><span itemprop='name'>${category}</span></a></h3><div itemprop='description'>${text}</div></td><td class="topics"><div title="${index + 3} topics">${index + 3}</div></td></tr>`)}</tbody></table>`,
  ),
  expectation: expected(`${base}/categories`, {
    words: ['Category', 'Topics'],
    inOrder: categories.map(([category, text], index) => [category, text, `${index + 3}`]),
    not: chrome,
  }),
}

const [gauge, anchor, tables, log, meeting, modbus] = topics as [Topic, Topic, Topic, Topic, Topic, Topic]

export const discourse: TemplatePage[] = [
  crawlerTopic('topic', gauge, [log, modbus]),
  crawlerTopic('topic-with-list', anchor, [meeting, modbus]),
  crawlerTopic('topic-with-table', tables, [gauge, log]),
  renderedTopic('topic-in-browser', gauge, [tables, anchor]),
  renderedTopic('topic-with-code-in-browser', log, [gauge, modbus]),
  renderedTopic('topic-with-image-in-browser', meeting, [anchor, tables]),
  listPage('latest', '/latest', '', 'Skerry Forum', topics),
  listPage(
    'category',
    '/c/gear/4',
    '<h1><a href="/c/gear/4"><span itemprop="name">Gear</span></a></h1>',
    'Gear',
    [anchor, modbus],
  ),
  listPage(
    'tag',
    '/tag/python',
    '<h1><a href="/tag/python"><span itemprop="name">python</span></a></h1>',
    'python',
    [log],
  ),
  categoriesPage,
]
