import { frame } from '../frame.ts'
import { html, json } from '../html.ts'
import { day, dayInDigits, figure } from '../locale.ts'
import { date, integer, list, object, text, url } from '../schema.ts'
import { otherTitles, thread } from '../talk.ts'
import { either, type Template } from '../template.ts'
import { slug } from '../words.ts'

const community: Template = {
  name: 'community-react',
  vertical: 'threads',
  carrier: 'state',
  schema: object({
    postTitle: text(),
    community: text('Name of the community'),
    submittedBy: text('User who posted'),
    upvotes: integer(),
    commentCount: integer(),
    selfText: text('Text of the post'),
    topComments: list(object({ user: text(), text: text(), points: integer() })),
  }),
  page(random, structured) {
    const it = thread(random, 'en')
    const [first, ...comments] = it.posts
    if (!first) throw new Error('A thread has posts.')
    const group = random.pick(['r/fixit', 'r/ukulele', 'r/heating'])
    const total = comments.length + random.integer(0, 40)
    const state = json`{"post":{"title":${it.title},"author":${first.user},"score":${first.votes},"numComments":${total},"subreddit":${group},"selftext":${first.text}},"comments":${comments.map((comment) => json`{"author":${comment.user},"body":${comment.text},"score":${comment.votes}}`)}}`
    const body = html`<shreddit-post class="block" post-title="${it.title}" author="${first.user}" score="${first.votes}" comment-count="${total}"><div slot="credit-bar" class="flex"><a href="/${group}" class="css-sub" data-testid="subreddit-name">${group}</a><span class="css-dot">•</span><faceplate-timeago ts="${first.on}T${first.time}:00Z">${random.integer(2, 11)} mo. ago</faceplate-timeago><a href="/user/${first.user}" class="css-auth">${first.user}</a></div><h1 id="post-title-t3_x" class="font-semibold text-24">${it.title}</h1><div class="text-neutral-content" slot="text-body"><div class="md"><p>${first.text}</p></div></div><div class="css-bar"><button aria-label="upvote">⇧</button><span class="css-score">${first.votes}</span><button aria-label="downvote">⇩</button><button><span>${total} comments</span></button></div></shreddit-post>
<div id="comment-tree">${comments.map((comment, place) => html`<div class="css-cmt" data-testid="comment" style="margin-left:${place * 12}px"><div class="css-meta"><a href="/user/${comment.user}">${comment.user}</a> <span>${comment.votes} points</span> · <time>${random.integer(1, 10)} mo. ago</time></div><div class="css-md"><p>${comment.text}</p></div><div class="css-acts"><button>Reply</button><button>Share</button></div></div>`)}</div>`
    const side = html`<div class="css-side"><strong>${group}</strong><p>A place to help each other.</p><p>${figure(random.integer(900, 400_000), 'en-US')} members</p><h2>More posts</h2>${otherTitles(random, 'en').map((title) => html`<a href="#"><h3>${title}</h3><span>${random.integer(1, 300)} upvotes · ${random.integer(1, 80)} comments</span></a>`)}</div>`
    return {
      path: `/${group}/comments/x${random.integer(1000, 9999)}/${slug(it.title)}/`,
      html: frame({
        skin: 'react',
        language: 'en-US',
        site: 'threadly',
        title: `${it.title} : ${group}`,
        body,
        side,
        nav: ['Popular', 'Log In', 'Get App'],
        end: structured.state('data', state),
      }),
      expected: {
        ...{
          postTitle: it.title,
          community: either(group, group.slice(2)),
          submittedBy: first.user,
          upvotes: first.votes,
          commentCount: total,
          selfText: first.text,
        },
        topComments: comments.map((comment) => ({
          user: comment.user,
          text: comment.text,
          points: comment.votes,
        })),
      },
    }
  },
}

const oldBoard: Template = {
  name: 'vbulletin-2005-es',
  vertical: 'threads',
  carrier: 'microdata',
  schema: object({
    tema: text('título del tema'),
    subforo: text(),
    mensajes: list(
      object({ usuario: text(), fecha: date(), texto: text(), ubicacion: text('ubicación del usuario') }),
    ),
  }),
  page(random, structured) {
    const it = thread(random, 'es')
    const forum = random.pick(['Bricolaje general', 'Instrumentos', 'Electrónica'])
    const places = it.posts.map(() =>
      random.chance(0.6) ? random.pick(['Cádiz', 'Gijón', 'Murcia']) : undefined,
    )
    const body = html`<table class="tborder" cellpadding="6" cellspacing="1" width="100%"${structured.attributes('itemscope itemtype="http://schema.org/DiscussionForumPosting"')}><tr><td class="navbar"><span class="navbar"><a href="index.php">Foros</a> &gt; <a href="forumdisplay.php?f=7">${forum}</a></span><br><strong${structured.attributes('itemprop="headline"')}>${it.title}</strong></td></tr></table>
${it.posts.map((post, place) => html`<table id="post${place + 300}" class="tborder" cellpadding="6" cellspacing="0" border="0" width="100%"><tr><td class="thead"> ${dayInDigits(post.on, 'es').replaceAll('/', '-')}, ${post.time} </td><td class="thead" align="right">#<a href="showpost.php?p=${place}"><strong>${place + 1}</strong></a></td></tr><tr valign="top"><td class="alt2" width="175"><div><a class="bigusername" href="member.php?u=${place}">${post.user}</a></div><div class="smallfont">Usuario registrado</div><div class="smallfont">Fecha de ingreso: may 2006</div>${places[place] && html`<div class="smallfont">Ubicación: ${places[place]}</div>`}<div class="smallfont">Mensajes: ${random.integer(2, 3000)}</div></td><td class="alt1"><div class="smallfont"><strong>${place ? 'Re: ' : ''}${it.title}</strong></div><hr size="1"><div id="post_message_${place}">${post.text}</div></td></tr></table><br>`)}`
    return {
      path: `/showthread.php?t=${random.integer(1000, 99_999)}`,
      html: frame({
        skin: 'tables',
        language: 'es',
        site: 'ForoManitas',
        title: `${it.title} - ForoManitas`,
        body,
        nav: ['Registrarse', 'Ayuda', 'Calendario', 'Buscar'],
      }),
      expected: {
        ...{ tema: it.title, subforo: forum },
        mensajes: it.posts.map((post, place) => {
          const message = { usuario: post.user, fecha: post.on, texto: post.text }
          const ubicacion = places[place]
          return ubicacion === undefined ? message : { ...message, ubicacion }
        }),
      },
    }
  },
}

const xenforo: Template = {
  name: 'xenforo-fr',
  vertical: 'threads',
  carrier: 'JSON-LD',
  schema: object({
    title: text(),
    started_by: text('Auteur de la discussion'),
    started_on: date('Date de début'),
    replies: list(
      object({ author: text(), date: date(), content: text(), permalink: url() }),
      'every message of the thread, the first included',
    ),
  }),
  page(random, structured) {
    const it = thread(random, 'fr')
    const id = random.integer(1000, 99_999)
    const first = it.posts[0]
    const ld = json`{"@context":"https://schema.org","@type":"DiscussionForumPosting","headline":${it.title},"datePublished":${`${first?.on}T${first?.time}:00+01:00`},"author":{"@type":"Person","name":${first?.user}},"articleBody":${first?.text},"interactionStatistic":{"@type":"InteractionCounter","interactionType":"https://schema.org/ReplyAction","userInteractionCount":${it.posts.length - 1}}}`
    const body = html`<div class="p-title"><h1 class="p-title-value">${it.title}</h1></div><div class="p-description"><ul class="listInline listInline--bullet"><li><i class="fa--xf"></i><span class="u-srOnly">Auteur de la discussion</span> <a href="/members/1/" class="username u-concealed">${first?.user}</a></li><li><span class="u-srOnly">Date de début</span> <time class="u-dt" datetime="${first?.on}T${first?.time}:00+0100">${day(first?.on ?? '', 'fr', { day: 'numeric', month: 'long', year: 'numeric' })}</time></li></ul></div>
<div class="block-body js-replyNewMessageContainer">${it.posts.map((post, place) => html`<article class="message message--post js-post" data-author="${post.user}" id="js-post-${id + place}"><div class="message-inner"><div class="message-cell message-cell--user"><section class="message-user"><h4 class="message-name"><a href="/members/${place}/" class="username">${post.user}</a></h4><h5 class="userTitle message-userTitle">Membre actif</h5><div class="message-userExtras"><dl class="pairs pairs--justified"><dt>Messages</dt><dd>${figure(random.integer(5, 9000), 'fr')}</dd></dl></div></section></div><div class="message-cell message-cell--main"><header class="message-attribution"><ul class="message-attribution-main"><li class="u-concealed"><a href="/threads/${id}/post-${id + place}"><time class="u-dt" datetime="${post.on}T${post.time}:00+0100">${day(post.on, 'fr', { day: 'numeric', month: 'short', year: 'numeric' })}</time></a></li></ul><ul class="message-attribution-opposite"><li>#${place + 1}</li></ul></header><div class="message-content"><article class="message-body"><div class="bbWrapper">${post.text}</div></article></div></div></div></article>`)}</div>`
    const side = html`<h3 class="block-minorHeader">Discussions similaires</h3>${otherTitles(random, 'fr').map((title) => html`<div class="structItem"><a href="#">${title}</a><span>Réponses: ${random.integer(1, 60)}</span><time>${dayInDigits('2026-03-02', 'fr')}</time></div>`)}`
    return {
      path: `/threads/${slug(it.title)}.${id}/`,
      html: frame({
        skin: 'wordpress',
        language: 'fr',
        site: 'BricoForum',
        title: `${it.title} | BricoForum`,
        body,
        side,
        nav: ['Forums', 'Nouveautés', 'Membres'],
        head: structured.jsonLd(ld),
      }),
      expected: {
        ...{ title: it.title, started_by: first?.user ?? '', started_on: first?.on ?? '' },
        replies: it.posts.map((post, place) => ({
          author: post.user,
          date: post.on,
          content: post.text,
          permalink: `/threads/${id}/post-${id + place}`,
        })),
      },
    }
  },
}

export const threads = [community, oldBoard, xenforo]
