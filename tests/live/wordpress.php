<?php
/* Installs WordPress into its empty database, with users and their application passwords; prints these as JSON.
   Arguments: the folder of WordPress, the address of the site. */
[, $folder, $site] = $argv;
$_SERVER['HTTP_HOST'] = parse_url($site, PHP_URL_HOST) . ':' . parse_url($site, PHP_URL_PORT);
$_SERVER['REQUEST_METHOD'] = 'GET';
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
define('WP_INSTALLING', true);
function wp_new_blog_notification() {} // would send a mail
require "$folder/wp-load.php";
require ABSPATH . 'wp-admin/includes/upgrade.php';

wp_install('Heat at home', 'admin', 'admin@example.com', true, '', wp_generate_password());
update_option('permalink_structure', '/%year%/%postname%/');
update_option('timezone_string', 'America/New_York');
update_option('default_pingback_flag', 0); // else a publication looks up the hosts of its links
update_option('ping_sites', '');

$passwords = [];
foreach (['editor', 'author', 'contributor'] as $role) {
    $user = wp_insert_user(['user_login' => $role, 'user_pass' => wp_generate_password(), 'role' => $role,
        'user_email' => "$role@example.com", 'display_name' => ucfirst($role) . ' & Co']);
    $made = WP_Application_Passwords::create_new_application_password($user, ['name' => 'contentgen']);
    $passwords[$role] = WP_Application_Passwords::chunk_password($made[0]);
}
echo "\n", json_encode(['version' => $wp_version, 'passwords' => $passwords]), "\n";
