import { frame } from '../frame.ts'
import { html } from '../html.ts'
import { day, figure, twelveHours } from '../locale.ts'
import { date, dateTime, integer, list, object, text, yes } from '../schema.ts'
import { otherTitles, thread } from '../talk.ts'
import { maybe, present, type Template } from '../template.ts'
import { slug } from '../words.ts'

const discourse: Template = {
  name: 'discourse',
  vertical: 'threads',
  carrier: 'microdata',
  schema: object({
    topic: text('Title of the topic'),
    category: text(),
    tags: list(text()),
    posts: list(
      object({ author: text(), createdAt: date(), text: text(), likes: integer() }),
      'All posts in order',
    ),
  }),
  page(random, structured) {
    const it = thread(random, 'en')
    const category = random.pick(['Support', 'Hardware', 'Lounge'])
    const tags = random.some(['bug', 'setup', 'repairs'], random.integer(1, 2))
    const likes = it.posts.map(({ votes }) => votes % 5)
    const body = html`<div id="main-outlet" class="wrap" role="main"><div id="topic-title"><h1><a href="/t/${slug(it.title)}/412">${it.title}</a></h1><div class="topic-category"><span class="badge-wrapper bullet"><a href="/c/${slug(category)}"><span class="badge-category clear-badge"><span class="category-name">${category}</span></span></a></span></div><div class="discourse-tags list-tags">${tags.map((tag) => html`<a href="/tag/${tag}" class="discourse-tag" rel="tag">${tag}</a>`)}</div></div>
<div${structured.attributes('itemscope itemtype="http://schema.org/DiscussionForumPosting"')}>${structured.block(html`<meta itemprop="headline" content="${it.title}"><meta itemprop="datePublished" content="${it.posts[0]?.on ?? ''}"><meta itemprop="articleSection" content="${category}">`)}
${it.posts.map((post, place) => html`<div id="post_${place + 1}"${structured.attributes(place ? 'itemprop="comment" itemscope itemtype="http://schema.org/Comment"' : '')} class="topic-body crawler-post"><div class="crawler-post-meta"><span class="creator"${structured.attributes('itemprop="author" itemscope itemtype="http://schema.org/Person"')}><a href="/u/${slug(post.user)}"${structured.attributes('itemprop="url"')}><span${structured.attributes('itemprop="name"')}>${post.user}</span></a>${place === 0 && ' (Moderator)'}</span> <span class="crawler-post-infos"><time datetime="${post.on}T${post.time}:00Z" class="post-time"${structured.attributes('itemprop="datePublished"')}> ${day(post.on, 'en-US')}, ${twelveHours(post.time).replace(' ', '').toLowerCase()} </time><span class="position">${place + 1}</span></span></div><div class="post"${structured.attributes('itemprop="text"')}><p>${post.text}</p></div><div class="post-likes">${likes[place] ? `${likes[place]} Likes` : ''}</div></div>`)}</div>
<div id="related-topics" class="more-topics__list"><h3>Related topics</h3><table class="topic-list"><thead><tr><th>Topic</th><th>Replies</th><th>Views</th><th>Activity</th></tr></thead><tbody>${otherTitles(random, 'en').map((title) => html`<tr class="topic-list-item"><td><a href="/t/${slug(title)}">${title}</a></td><td><span class="posts">${random.integer(0, 30)}</span></td><td>${random.integer(20, 900)}</td><td>${day('2026-02-11', 'en-US')}</td></tr>`)}</tbody></table></div></div>`
    return {
      path: `/t/${slug(it.title)}/${random.integer(100, 9999)}`,
      html: frame({
        skin: 'bootstrap',
        language: 'en-US',
        site: 'Tinkerers',
        title: `${it.title} - ${category} - Tinkerers`,
        body,
        nav: ['Latest', 'Top', 'Categories'],
      }),
      expected: {
        ...{ topic: it.title, category, tags },
        posts: it.posts.map(({ user, on, text }, place) =>
          present({ author: user, createdAt: on, text, likes: likes[place] || maybe(0) }),
        ),
      },
    }
  },
}

const phpbb: Template = {
  name: 'phpbb-de',
  vertical: 'threads',
  carrier: 'Open Graph',
  schema: object({
    title: text('Titel des Themas'),
    forum: text('Name des Forums'),
    reply_count: integer('Anzahl der Beiträge'),
    messages: list(
      object({
        user: text(),
        posted_at: dateTime(),
        body: text(),
        user_post_count: integer('Beiträge des Benutzers'),
      }),
    ),
  }),
  page(random, structured) {
    const it = thread(random, 'de')
    const forum = random.pick(['Technik & Reparatur', 'Anfängerfragen', 'Musikinstrumente'])
    const counts = it.posts.map(() => random.integer(3, 4800))
    const body = html`<h2 class="topic-title"><a href="./viewtopic.php?t=77">${it.title}</a></h2><div class="action-bar bar-top"><a href="./posting.php" class="button" title="Antwort erstellen"><span>Antworten</span></a><div class="pagination"> ${it.posts.length} Beiträge • Seite <strong>1</strong> von <strong>1</strong></div></div>
${it.posts.map((post, place) => html`<div id="p${place + 900}" class="post has-profile ${place % 2 ? 'bg1' : 'bg2'}"><div class="inner"><dl class="postprofile"><dt><a href="./memberlist.php?u=${place}" class="username">${post.user}</a></dt><dd class="profile-posts"><strong>Beiträge:</strong> <a href="#">${counts[place]}</a></dd><dd class="profile-joined"><strong>Registriert:</strong> So 4. Mai 2014, 11:20</dd></dl><div class="postbody"><div><h3 class="${place === 0 && 'first'}"><a href="#p${place + 900}">${place ? 'Re: ' : ''}${it.title}</a></h3><p class="author"><a class="unread" href="#"><i class="icon"></i></a><span class="responsive-hide">von <strong><a href="#" class="username">${post.user}</a></strong> » </span><time datetime="${post.on}T${post.time}:00+00:00">${day(post.on, 'de', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })}, ${post.time}</time></p><div class="content">${post.text}</div>${place === 0 && html`<div id="sig1" class="signature">Gruß aus dem Norden | Seit 2009 dabei</div>`}</div></div></div></div><hr class="divider">`)}
<div class="stat-block online-list"><h3>Wer ist online?</h3><p>Mitglieder in diesem Forum: 0 Mitglieder und ${random.integer(1, 9)} Gäste</p></div>`
    return {
      path: `/viewtopic.php?f=${random.integer(2, 40)}&t=${random.integer(100, 9999)}`,
      html: frame({
        skin: 'wordpress',
        language: 'de',
        site: 'Bastelforum',
        title: `${it.title} - Bastelforum`,
        body: html`<ul id="nav-breadcrumbs" class="linklist"><li class="breadcrumbs"><span class="crumb"><a href="./index.php">Foren-Übersicht</a></span><span class="crumb"><a href="./viewforum.php">${forum}</a></span></li></ul>${body}`,
        nav: ['FAQ', 'Registrieren', 'Anmelden'],
        head: structured.meta(['og:title', it.title], ['og:site_name', 'Bastelforum']),
      }),
      expected: {
        ...{ title: it.title, forum, reply_count: it.posts.length },
        messages: it.posts.map((post, place) =>
          present({
            user: post.user,
            posted_at: `${post.on}T${post.time}:00`,
            body: post.text,
            user_post_count: counts[place],
          }),
        ),
      },
    }
  },
}

const questions: Template = {
  name: 'question-and-answers',
  vertical: 'threads',
  carrier: 'microdata',
  schema: object({
    question: object({
      title: text(),
      body: text(),
      asked_by: text(),
      asked_on: date(),
      score: integer('votes'),
      views: integer('number of views'),
    }),
    answers: list(object({ body: text(), answered_by: text(), score: integer(), accepted: yes() })),
    tags: list(text()),
  }),
  page(random, structured) {
    const it = thread(random, 'en')
    const [first, ...answers] = it.posts
    if (!first) throw new Error('A thread has posts.')
    const views = random.integer(40, 88_000)
    const tags = random.some(['heating', 'gps', 'glue', 'cast-iron'], 2)
    const accepted = random.chance(0.6) ? 0 : -1
    const votes = (score: number) =>
      html`<div class="js-voting-container d-flex fd-column"><button aria-label="Up vote">▲</button><div class="js-vote-count"${structured.attributes('itemprop="upvoteCount"')} data-value="${score}">${score}</div><button aria-label="Down vote">▼</button></div>`
    const card = (verb: string, post: typeof first) =>
      html`<div class="user-info"><div class="user-action-time">${verb} <span title="${post.on} ${post.time}Z" class="relativetime">${day(post.on, 'en-US', { month: 'short', day: 'numeric', year: 'numeric' })} at ${post.time}</span></div><div class="user-details"${structured.attributes('itemprop="author" itemscope itemtype="http://schema.org/Person"')}><a href="/users/${slug(post.user)}">${post.user}</a><span class="d-none"${structured.attributes('itemprop="name"')}>${post.user}</span><div class="-flair"><span class="reputation-score">${figure(random.integer(1, 24_000), 'en-US')}</span></div></div></div>`
    const body = html`<div id="mainbar"${structured.attributes('itemprop="mainEntity" itemscope itemtype="https://schema.org/Question"')}><div id="question-header"><h1${structured.attributes('itemprop="name"')}><a href="/questions/1" class="question-hyperlink">${it.title}</a></h1></div><div class="d-flex fw-wrap"><div title="${first.on}"><span class="fc-black-400">Asked</span> <time${structured.attributes('itemprop="dateCreated"')} datetime="${first.on}T${first.time}:00">${day(first.on, 'en-US', { month: 'short', day: 'numeric', year: 'numeric' })}</time></div><div title="Viewed ${figure(views, 'en-US')} times"><span class="fc-black-400">Viewed</span> ${figure(views, 'en-US')} times</div></div>
<div class="question js-question"><div class="votecell">${votes(first.votes)}</div><div class="postcell"><div class="s-prose js-post-body"${structured.attributes('itemprop="text"')}><p>${first.text}</p></div><div class="post-taglist"><ul class="js-post-tag-list-wrapper">${tags.map((tag) => html`<li><a href="/questions/tagged/${tag}" class="s-tag post-tag" rel="tag">${tag}</a></li>`)}</ul></div>${card('asked', first)}</div></div><div id="answers"><div id="answers-header"><h2>${answers.length} Answers</h2></div>
${answers.map((answer, place) => html`<div class="answer js-answer${place === accepted ? ' accepted-answer' : ''}"${structured.attributes(`itemprop="${place === accepted ? 'acceptedAnswer' : 'suggestedAnswer'}" itemscope itemtype="https://schema.org/Answer"`)}><div class="votecell">${votes(answer.votes)}${place === accepted && html`<div class="js-accepted-answer-indicator" title="The question owner accepted this as the best answer">✓</div>`}</div><div class="answercell"><div class="s-prose js-post-body"${structured.attributes('itemprop="text"')}><p>${answer.text}</p></div>${card('answered', answer)}</div></div>`)}</div></div>`
    const side = html`<div class="module sidebar-related"><h4>Related</h4>${otherTitles(random, 'en').map((title) => html`<div class="spacer"><a href="#"><div class="answer-votes">${random.integer(0, 90)}</div></a><a class="question-hyperlink" href="#">${title}</a></div>`)}</div>`
    return {
      path: `/questions/${random.integer(10_000, 99_999)}/${slug(it.title)}`,
      html: frame({
        skin: 'bootstrap',
        language: 'en-US',
        site: 'Workbench Exchange',
        title: `${it.title} - Workbench Exchange`,
        body,
        side,
        nav: ['Questions', 'Tags', 'Users'],
        attributes: structured.attributes('itemscope itemtype="https://schema.org/QAPage"'),
      }),
      expected: {
        question: {
          title: it.title,
          body: first.text,
          asked_by: first.user,
          asked_on: first.on,
          score: first.votes,
          views,
        },
        answers: answers.map((answer, place) => ({
          body: answer.text,
          answered_by: answer.user,
          score: answer.votes,
          accepted: place === accepted || maybe(false),
        })),
        tags,
      },
    }
  },
}

export const threads = [discourse, phpbb, questions]
