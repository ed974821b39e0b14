<?php
// Fills a WordPress, as Debian packages it, with our articles and comments. Run once; the pages are fetched by site_wordpress.py.
define('WP_INSTALLING', true);
define('ABSPATH', '/usr/share/wordpress/');
$_SERVER['HTTP_HOST'] = '127.0.0.1:9184';
require ABSPATH . 'wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
$data = json_decode(file_get_contents('/srv/data.json'), true);
wp_install($data['forum']['name'], 'admin', 'admin@example.com', true, '', 'corpus-password');
foreach (get_posts(['numberposts' => -1, 'post_type' => ['post', 'page']]) as $post) wp_delete_post($post->ID, true);
update_option('comments_per_page', 50);
update_option('blogdescription', '');
update_option('posts_per_page', 10);
$category = wp_create_term('Notes from the canal', 'category')['term_id'];
$thread = $data['forum']['topics'][0]['posts'];
foreach ($data['list']['articles'] as $place => $article) {
  $user = username_exists($article['author']) ?: wp_insert_user(['user_login' => $article['author'],
    'display_name' => $article['author'], 'user_pass' => 'corpus-password', 'user_email' => "u$place@example.com"]);
  $id = wp_insert_post(['post_title' => $article['title'], 'post_name' => $article['slug'], 'post_author' => $user,
    'post_content' => "<!-- wp:paragraph -->\n<p>{$article['text']}</p>\n<!-- /wp:paragraph -->", 'post_status' => 'publish',
    'post_date' => "{$article['date']} 09:00:00", 'post_category' => [$category], 'post_excerpt' => '']);
  if ($place !== 0) continue;
  foreach ($thread as $said) {
    wp_insert_comment(['comment_post_ID' => $id, 'comment_author' => $said['author'], 'comment_approved' => 1,
      'comment_author_email' => "{$said['author']}@example.com", 'comment_content' => implode("\n\n", $said['text']),
      'comment_date' => substr($said['date'], 0, 10) . ' ' . substr($said['date'], 11, 8)]);
  }
}
