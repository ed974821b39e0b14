<?php
// Makes a WordPress site of the manual: php wordpress-install.php SITE PAGES.JSON
define('WP_INSTALLING', true);
require $argv[1] . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('Skerry Harbour Notes', 'keeper', 'keeper@skerry.test', true, '', 'keeper');
update_option('blogdescription', 'News from the tide gauge');
update_option('permalink_structure', '/%postname%/');
wp_delete_post(1, true);
$category = wp_insert_term('Handbook', 'category')['term_id'];
foreach (json_decode(file_get_contents($argv[2]), true) as $at => $page) {
    $id = wp_insert_post([
        'post_title' => $page['title'], 'post_name' => $page['name'] === 'index' ? 'welcome' : $page['name'],
        'post_content' => wp_slash($page['content']), 'post_status' => 'publish', 'post_author' => 1,
        'post_date' => sprintf('2026-02-%02d 09:30:00', $at + 1), 'post_category' => [$category],
        'tags_input' => ['tides', 'gauges'],
    ], true);
    wp_insert_comment([
        'comment_post_ID' => $id, 'comment_author' => 'Marit', 'comment_approved' => 1,
        'comment_date' => '2026-03-05 18:00:00', 'comment_content' => 'We used this on the way to the islands and it saved us a night aground.',
    ]);
}
