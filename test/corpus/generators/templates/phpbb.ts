import { type Post, type Topic, topics } from '../sources/forum.ts'
import { each, expected, type TemplatePage } from './page.ts'

const base = 'https://board.skerry.test'

const chrome = [
  'Skip to content',
  'Quick links',
  'Advanced search',
  'Board index',
  'Delete cookies',
  'All times are',
  'Powered by',
  'Privacy',
  'Login',
  'Register',
  'Post Reply',
  'New Topic',
  'Return to',
  'Jump to',
  'Who is online',
  'Users browsing this forum',
  'You cannot post',
  'Unanswered topics',
  'Last post[',
  ')by ',
  '[Quote]',
  '[↑]',
]

function layout(title: string, section: string, main: string): string {
  const crumbs = `<span class="crumb" itemtype="https://schema.org/ListItem" itemprop="itemListElement" itemscope><a itemprop="item" href="./index.php" accesskey="h"><i class="icon fa-home fa-fw"></i><span itemprop="name">Board index</span></a><meta itemprop="position" content="1"></span>`
  return `<!DOCTYPE html>
<html dir="ltr" lang="en-gb"><head><meta charset="utf-8"><title>Skerry Board - ${title}</title></head>
<body id="phpbb" class="nojs notouch section-${section} ltr">
<div id="wrap" class="wrap"><a id="top" class="top-anchor" accesskey="t"></a>
<div id="page-header"><div class="headerbar" role="banner"><div class="inner"><div id="site-description" class="site-description"><a id="logo" class="logo" href="./index.php" title="Board index"><span class="site_logo"></span></a><h1>Skerry Board</h1><p>Talk about shallow water</p><p class="skiplink"><a href="#start_here">Skip to content</a></p></div><div id="search-box" class="search-box search-header" role="search"><form action="./search.php" method="get" id="search"><fieldset><input name="keywords" type="search" maxlength="128" class="inputbox search tiny" placeholder="Search…"><button class="button button-search" type="submit" title="Search"><span class="sr-only">Search</span></button><a href="./search.php" class="button button-search-end" title="Advanced search"><span class="sr-only">Advanced search</span></a></fieldset></form></div></div></div>
<div class="navbar" role="navigation"><div class="inner"><ul id="nav-main" class="nav-main linklist" role="menubar"><li id="quick-links" class="quick-links dropdown-container responsive-menu"><a href="#" class="dropdown-trigger"><i class="icon fa-bars fa-fw"></i><span>Quick links</span></a><div class="dropdown"><ul class="dropdown-contents" role="menu"><li><a href="./search.php?search_id=unanswered" role="menuitem"><span>Unanswered topics</span></a></li><li><a href="./search.php?search_id=active_topics" role="menuitem"><span>Active topics</span></a></li></ul></div></li><li data-skip-responsive="true"><a href="./app.php/help/faq" rel="help" title="Frequently Asked Questions" role="menuitem"><span>FAQ</span></a></li><li class="rightside" data-skip-responsive="true"><a href="./ucp.php?mode=login" title="Login" accesskey="x" role="menuitem"><span>Login</span></a></li><li class="rightside" data-skip-responsive="true"><a href="./ucp.php?mode=register" role="menuitem"><span>Register</span></a></li></ul><ul id="nav-breadcrumbs" class="nav-breadcrumbs linklist navlinks" role="menubar"><li class="breadcrumbs" itemscope itemtype="https://schema.org/BreadcrumbList">${crumbs}</li></ul></div></div></div>
<a id="start_here" class="anchor"></a><div id="page-body" class="page-body" role="main">
${main}
</div>
<div id="page-footer" class="page-footer" role="contentinfo"><div class="navbar" role="navigation"><div class="inner"><ul id="nav-footer" class="nav-footer linklist" role="menubar"><li class="breadcrumbs">${crumbs}</li><li class="rightside">All times are <span title="UTC">UTC</span></li><li class="rightside"><a href="./ucp.php?mode=delete_cookies" role="menuitem"><span>Delete cookies</span></a></li></ul></div></div><div class="copyright"><p class="footer-row"><span class="footer-copyright">Powered by <a href="https://www.phpbb.com/">phpBB</a>&reg; Forum Software &copy; phpBB Limited</span></p><p class="footer-row" role="menu"><a class="footer-link" href="./ucp.php?mode=privacy" title="Privacy" role="menuitem"><span class="footer-link-text">Privacy</span></a> | <a class="footer-link" href="./ucp.php?mode=terms" title="Terms" role="menuitem"><span class="footer-link-text">Terms</span></a></p></div></div>
</div></body></html>\n`
}

/** Returns the text of a post as phpBB writes it: breaks for paragraphs, boxes for code, names above quotes. */
const boardHtml = (post: Post) =>
  post.html
    .replace(/<\/p>\s*<p>/g, '<br>\n<br>\n')
    .replace(/<\/?p>/g, '')
    .replace(
      /<pre><code class="[^"]*">([\s\S]*?)<\/code><\/pre>/g,
      '<div class="codebox"><p>Code: <a href="#" onclick="selectCode(this); return false;">Select all</a></p><pre><code>$1</code></pre></div>',
    )
    .replace(
      /<blockquote>([\s\S]*?)<\/blockquote>/g,
      '<blockquote><div><cite><a href="./memberlist.php?mode=viewprofile">old_piet</a> wrote: <a href="./viewtopic.php?p=1#p1">↑</a><div class="responsive-hide">03 Mar 2026</div></cite>$1</div></blockquote>',
    )
    .replace('<ol>', '<ol style="list-style-type:decimal">')

const topicUrl = (topic: Topic) => `${base}/viewtopic.php?t=${topic.id}`
const signatures: Record<string, string> = {
  old_piet: 'Piet, tjalk Vrouwe Geertje, built 1904',
  jonas: 'Better a wet sail than a dry promise',
}

function postHtml(topic: Topic, post: Post, index: number): string {
  const id = topic.id * 10 + index
  const author = `<a href="./memberlist.php?mode=viewprofile&amp;u=${index + 2}" class="username">${post.author}</a>`
  const signature = signatures[post.author]
  return `<div id="p${id}" class="post has-profile ${index % 2 === 0 ? 'bg2' : 'bg1'}"><div class="inner"><dl class="postprofile" id="profile${id}"><dt class="has-profile-rank has-avatar"><div class="avatar-container"><a href="./memberlist.php?mode=viewprofile&amp;u=${index + 2}" class="avatar"><img class="avatar" src="./download/file.php?avatar=${index}.jpg" width="90" height="90" alt="User avatar"></a></div>${author}</dt><dd class="profile-rank">Deckhand</dd><dd class="profile-posts"><strong>Posts:</strong> <a href="./search.php?author_id=${index + 2}&amp;sr=posts">${120 + index}</a></dd><dd class="profile-joined"><strong>Joined:</strong> 14 May 2019, 11:0${index}</dd><dd class="profile-contact"><strong>Contact:</strong><div class="dropdown-container dropdown-left"><a href="#" class="dropdown-trigger" title="Contact ${post.author}"><i class="icon fa-commenting-o fa-fw icon-lg"></i><span class="sr-only">Contact ${post.author}</span></a></div></dd></dl>
<div class="postbody"><div id="post_content${id}"><h3${index === 0 ? ' class="first"' : ''}><a href="./viewtopic.php?p=${id}#p${id}">${index === 0 ? '' : 'Re: '}${topic.title}</a></h3><ul class="post-buttons"><li><a href="./posting.php?mode=quote&amp;p=${id}" title="Reply with quote" class="button button-icon-only"><i class="icon fa-quote-left fa-fw"></i><span class="sr-only">Quote</span></a></li></ul><p class="author"><a class="unread" href="./viewtopic.php?p=${id}#p${id}" title="Post"><i class="icon fa-file fa-fw icon-lightgray icon-md"></i><span class="sr-only">Post</span></a><span class="responsive-hide">by <strong>${author}</strong> &raquo; </span><time datetime="2026-03-03T21:14:00+00:00">${post.date}</time></p><div class="content">${boardHtml(post)}</div>${signature ? `<div id="sig${id}" class="signature">${signature}</div>` : ''}</div></div><div class="back2top"><a href="#top" class="top" title="Top"><i class="icon fa-chevron-circle-up fa-fw icon-gray"></i><span class="sr-only">Top</span></a></div></div></div>`
}

const actions = (button: string, total: string) =>
  `<div class="action-bar bar-top"><a href="./posting.php" class="button" title="${button}"><span>${button}</span> <i class="icon fa-pencil fa-fw"></i></a><div class="dropdown-container dropdown-button-control topic-tools"><span title="Topic tools" class="button button-secondary dropdown-trigger dropdown-select"><i class="icon fa-wrench fa-fw"></i></span><div class="dropdown hidden"><ul class="dropdown-contents"><li><a href="?view=print" title="Print view" accesskey="p"><span>Print view</span></a></li></ul></div></div><div class="pagination">${total} &bull; Page <strong>1</strong> of <strong>1</strong></div></div>`

const jumpbox = (name: string) =>
  `<div class="action-bar actions-jump"><p class="jumpbox-return"><a href="./viewforum.php?f=2" class="left-box arrow-left" accesskey="r"><i class="icon fa-angle-left fa-fw icon-black"></i><span>Return to &ldquo;${name}&rdquo;</span></a></p><div class="jumpbox dropdown-container dropdown-container-right dropdown-up"><span title="Jump to" class="button button-secondary dropdown-trigger dropdown-select"><span>Jump to</span></span><div class="dropdown"><ul class="dropdown-contents"><li><a href="./viewforum.php?f=3" class="jumpbox-sub-link"><span>Lost and found</span></a></li></ul></div></div></div><div class="stat-block online-list"><h3>Who is online</h3><p>Users browsing this forum: No registered users and 3 guests</p></div>`

const permissions =
  '<div class="stat-block permissions"><h3>Forum permissions</h3><p>You <strong>cannot</strong> post new topics in this forum<br>You cannot post attachments in this forum<br></p></div>'

function topicPage(
  name: string,
  topic: Topic,
  poll?: [question: string, options: [string, string][]],
): TemplatePage {
  const vote = poll
    ? `<form method="post" action="./viewtopic.php" class="topic_poll"><div class="panel"><div class="inner"><div class="content"><h2 class="poll-title">${poll[0]}</h2><p class="author"></p><fieldset class="polls">${each(poll[1], ([option, percent]) => `<dl data-poll-option-id="1"><dt>${option}</dt><dd class="resultbar"><div class="pollbar3" style="width:40%;">4</div></dd><dd class="poll_option_percent">${percent}</dd></dl>`)}<dl class="poll_total_votes"><dt>&nbsp;</dt><dd class="resultbar">Total votes: <span class="poll_total_vote_cnt">10</span></dd></dl></fieldset></div></div></div></form><hr>`
    : ''
  const main = `<h2 class="topic-title"><a href="./viewtopic.php?t=${topic.id}">${topic.title}</a></h2><div style="display: none !important;">Ask here.<br></div>${actions('Post Reply', `${topic.posts.length} posts`)}${vote}${each(topic.posts, (post, index) => postHtml(topic, post, index))}${actions('Post Reply', `${topic.posts.length} posts`)}${jumpbox(topic.category)}`
  const isQuote = (line: string) => line.startsWith('> ')
  const lines = topic.posts.flatMap((post) => post.lines)
  return {
    name,
    html: layout(topic.title, 'viewtopic', main),
    expectation: expected(topicUrl(topic), {
      lines: [
        `# ${topic.title}`,
        ...lines.filter((line) => !isQuote(line)).map((line) => line.replace(/^```\w+/, '```')),
      ],
      text: [
        ...topic.posts.flatMap((post) => post.text),
        ...lines.filter(isQuote).map((line) => line.slice(2)),
      ],
      inOrder: [
        ...topic.posts.map((post) => [post.author, post.date, post.text[0] ?? '']),
        ...(poll ? [[poll[0], ...poll[1].flat()]] : []),
      ],
      not: [
        ...chrome,
        ...Object.values(signatures),
        'Joined:',
        'Posts:',
        'Contact:',
        'Reply with quote',
        'Select all',
        'Print view',
        'Lost and found',
        '\nTop\n',
      ],
    }),
  }
}

function forumPage(name: string, number: number, title: string, listedTopics: Topic[]): TemplatePage {
  const rows = each(
    listedTopics,
    (topic, index) =>
      `<li class="row bg${(index % 2) + 1}"><dl class="row-item topic_read"><dt title="No unread posts"><div class="list-inner"><a href="./viewtopic.php?t=${topic.id}" class="topictitle">${topic.title}</a><br><div class="responsive-show" style="display: none;">Last post by <a href="./memberlist.php" class="username">${topic.posts.at(-1)?.author}</a> &laquo; <a href="./viewtopic.php?p=1#p1" title="Go to last post">${topic.posts.at(-1)?.date}</a></div><div class="topic-poster responsive-hide left-box">by <a href="./memberlist.php" class="username">${topic.posts[0]?.author}</a> &raquo; ${topic.posts[0]?.date}</div></div></dt><dd class="posts">${topic.posts.length - 1} <dfn>Replies</dfn></dd><dd class="views">${topic.views} <dfn>Views</dfn></dd><dd class="lastpost"><span><dfn>Last post </dfn>by <a href="./memberlist.php" class="username">${topic.posts.at(-1)?.author}</a> <a href="./viewtopic.php?p=1#p1" title="Go to last post"><i class="icon fa-external-link-square fa-fw icon-lightgray icon-md"></i><span class="sr-only"></span></a><br>${topic.posts.at(-1)?.date}</span></dd></dl></li>`,
  )
  const main = `<h2 class="forum-title"><a href="./viewforum.php?f=${number}">${title}</a></h2><div><div style="display: none !important;">About ${title}<br></div></div>${actions('New Topic', `${listedTopics.length} topics`)}<div class="forumbg"><div class="inner"><ul class="topiclist"><li class="header"><dl class="row-item"><dt><div class="list-inner">Topics</div></dt><dd class="posts">Replies</dd><dd class="views">Views</dd><dd class="lastpost"><span>Last post</span></dd></dl></li></ul><ul class="topiclist topics">${rows}</ul></div></div>${actions('New Topic', `${listedTopics.length} topics`)}${jumpbox(title)}${permissions}`
  return {
    name,
    html: layout(`${title} - View forum`, 'viewforum', main),
    expectation: expected(`${base}/viewforum.php?f=${number}`, {
      lines: [`# ${title}`],
      text: listedTopics.map((topic) => `[${topic.title}](${topicUrl(topic)})`),
      inOrder: listedTopics.map((topic) => [
        topic.title,
        topic.posts[0]?.author ?? '',
        topic.posts[0]?.date ?? '',
        `${topic.posts.length - 1}`,
        `${topic.views}`,
        topic.posts.at(-1)?.author ?? '',
        topic.posts.at(-1)?.date ?? '',
      ]),
      not: [...chrome, 'Lost and found'],
    }),
  }
}

const forums: [name: string, text: string, topics: number, posts: number][] = [
  ['Help', 'When a gauge does not do what it should.', 41, 260],
  ['Gear', 'Anchors, sensors and what else can break.', 77, 812],
  ['Meetings', 'Where we dry out together.', 9, 58],
]

const indexPage: TemplatePage = {
  name: 'index',
  html: layout(
    'Index page',
    'index',
    `<p class="right responsive-center time">It is currently 02 Apr 2026, 10:00</p><div class="forabg"><div class="inner"><ul class="topiclist"><li class="header"><dl class="row-item"><dt><div class="list-inner"><a href="./viewforum.php?f=1">On the water</a></div></dt><dd class="topics">Topics</dd><dd class="posts">Posts</dd><dd class="lastpost"><span>Last post</span></dd></dl></li></ul><ul class="topiclist forums">${each(forums, ([forum, text, count, posts], index) => `<li class="row"><dl class="row-item forum_read"><dt title="No unread posts"><div class="list-inner"><a href="./viewforum.php?f=${index + 2}" class="forumtitle">${forum}</a><br>${text}<div class="responsive-show" style="display: none;">Topics: <strong>${count}</strong></div></div></dt><dd class="topics">${count} <dfn>Topics</dfn></dd><dd class="posts">${posts} <dfn>Posts</dfn></dd><dd class="lastpost"><span><dfn>Last post</dfn><a href="./viewtopic.php?t=${11 + index}" class="lastsubject">${topics[index]?.title}</a><br>by <a href="./memberlist.php" class="username">${topics[index]?.posts.at(-1)?.author}</a><br>${topics[index]?.posts.at(-1)?.date}</span></dd></dl></li>`)}</ul></div></div><form method="post" action="./ucp.php?mode=login" class="headerspace"><h3><a href="./ucp.php?mode=login">Login</a>&nbsp; &bull; &nbsp;<a href="./ucp.php?mode=register">Register</a></h3><fieldset class="quick-login"><label><span>Username:</span> <input type="text" name="username" class="inputbox"></label></fieldset></form><div class="stat-block online-list"><h3>Who is online</h3><p>In total there are <strong>7</strong> users online</p></div><div class="stat-block statistics"><h3>Statistics</h3><p>Total posts <strong>1130</strong> &bull; Total topics <strong>127</strong></p></div>`,
  ),
  expectation: expected(`${base}/index.php`, {
    text: forums.map(([forum], index) => `[${forum}](${base}/viewforum.php?f=${index + 2})`),
    words: ['On the water'],
    inOrder: forums.map(([forum, text, count, posts], index) => [
      forum,
      text,
      `${count}`,
      `${posts}`,
      topics[index]?.title ?? '',
    ]),
    not: [...chrome.filter((text) => text !== 'Board index'), 'Username:'],
  }),
}

const answers: [question: string, answer: string][] = [
  [
    'Why do I need to register?',
    'You may read without it. To write you need a name that others can answer to.',
  ],
  ['How do I show an image?', 'Put it on a server of your own and write its address between the tags.'],
  ['Who made this board?', 'Two people in a shed with a good view of the tide.'],
]

const helpPage: TemplatePage = {
  name: 'help',
  html: layout(
    'Frequently Asked Questions',
    'app/help/faq',
    `<h2 class="faq-title">Frequently Asked Questions</h2><div class="panel bg1" id="faqlinks"><div class="inner"><div class="column1"><dl class="faq"><dt><strong>Questions of beginners</strong></dt>${each(answers, ([question], index) => `<dd><a href="#f0r${index}">${question}</a></dd>`)}</dl></div></div></div><div class="panel bg2"><div class="inner"><div class="content"><h2 class="faq-title">Questions of beginners</h2>${each(answers, ([question, answer], index) => `<dl class="faq"><dt id="f0r${index}"><strong>${question}</strong></dt><dd>${answer}</dd><dd><a href="#faqlinks" class="top2">Top</a></dd></dl><hr class="dashed">`)}</div></div></div>${jumpbox('Help')}`,
  ),
  expectation: expected(`${base}/app.php/help/faq`, {
    lines: ['# Frequently Asked Questions'],
    text: answers.map(([, answer]) => answer),
    inOrder: answers,
    not: [...chrome, '[Top]', 'Lost and found'],
  }),
}

const [gauge, anchor, , log, meeting, modbus] = topics as [Topic, Topic, Topic, Topic, Topic, Topic]

export const phpbb: TemplatePage[] = [
  topicPage('topic', gauge),
  topicPage('topic-with-list', anchor),
  topicPage('topic-with-code', log),
  topicPage('topic-with-image', meeting),
  topicPage('topic-with-poll', modbus, [
    'Would you buy it again?',
    [
      ['Yes, with grease', '40%'],
      ['No, never', '60%'],
    ],
  ]),
  forumPage('forum', 2, 'Help', [gauge, log]),
  forumPage('forum-of-gear', 3, 'Gear', [anchor, modbus]),
  forumPage('forum-of-all', 4, 'Everything', topics),
  indexPage,
  helpPage,
]
