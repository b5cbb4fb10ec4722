<?php

declare(strict_types=1);

/** As much of WordPress as the plug-in uses, with the parameters of WordPress. */

use Payframe\WooCommerce\Tests\Fake\World;

const ABSPATH = __DIR__ . '/';
const ARRAY_A = 'ARRAY_A';

/** The database, on SQLite in memory. */
class wpdb
{
    public string $prefix = 'wp_';
    public string $last_error = '';
    private PDO $connection;

    public function __construct()
    {
        $this->connection = new PDO('sqlite::memory:', options: [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION, PDO::ATTR_STRINGIFY_FETCHES => true]);
    }

    public function get_charset_collate()
    {
        return 'DEFAULT CHARACTER SET utf8mb4';
    }

    public function suppress_errors($suppress = true)
    {
        return false;
    }

    public function prepare($query, ...$args)
    {
        return preg_replace_callback('/%[sd]/', function (array $found) use (&$args): string {
            $value = array_shift($args);
            return $found[0] === '%d' ? (string) (int) $value : $this->connection->quote((string) $value);
        }, $query);
    }

    public function query($query)
    {
        World::now()->step();
        try {
            $changed = $this->connection->exec($query);
        } catch (PDOException $exception) {
            $this->last_error = $exception->getMessage();
            return false;
        }
        World::now()->step();
        return $changed;
    }

    public function insert($table, $data, $format = null)
    {
        $values = array_map(fn (mixed $value): string => $value === null ? 'NULL' : $this->connection->quote((string) $value), $data);
        return $this->query("INSERT INTO $table (" . implode(', ', array_keys($data)) . ') VALUES (' . implode(', ', $values) . ')');
    }

    public function get_results($query = null, $output = 'OBJECT')
    {
        return $this->connection->query($query)->fetchAll(PDO::FETCH_ASSOC);
    }

    public function get_row($query = null, $output = 'OBJECT', $y = 0)
    {
        return $this->get_results($query)[$y] ?? null;
    }

    public function get_col($query = null, $x = 0)
    {
        return array_map(static fn (array $row): mixed => array_values($row)[$x], $this->get_results($query));
    }
}

class WP_Error
{
    public function __construct(private $code = '', private $message = '', private $data = '')
    {
    }

    public function get_error_code()
    {
        return $this->code;
    }

    public function get_error_message($code = '')
    {
        return $this->message;
    }
}

class WP_REST_Request
{
    /** @param array<string, list<string>> $headers names as WordPress has them: small letters and underscores */
    public function __construct(private array $headers = [], private string $body = '')
    {
    }

    public function get_headers()
    {
        return $this->headers;
    }

    public function get_body()
    {
        return $this->body;
    }
}

class WP_REST_Response
{
    public function __construct(public $data = null, public $status = 200, public $headers = [])
    {
    }

    public function get_status()
    {
        return $this->status;
    }
}

function add_filter($hook_name, $callback, $priority = 10, $accepted_args = 1)
{
    World::now()->hooks[$hook_name][$priority][] = [$callback, $accepted_args];
    ksort(World::now()->hooks[$hook_name]);
    return true;
}

function add_action($hook_name, $callback, $priority = 10, $accepted_args = 1)
{
    return add_filter($hook_name, $callback, $priority, $accepted_args);
}

function apply_filters($hook_name, $value, ...$args)
{
    foreach (fake_callbacks($hook_name) as [$callback, $count]) {
        $value = $callback(...array_slice([$value, ...$args], 0, $count));
    }
    return $value;
}

function do_action($hook_name, ...$arg)
{
    foreach (fake_callbacks($hook_name) as [$callback, $count]) {
        $callback(...array_slice($arg, 0, $count));
    }
}

/** A callback may add another one of a later priority. */
function fake_callbacks(string $hook_name): Generator
{
    for ($done = PHP_INT_MIN; ; $done = $priority) {
        $later = array_filter(array_keys(World::now()->hooks[$hook_name] ?? []), static fn (int $one): bool => $one > $done);
        if ($later === []) {
            return;
        }
        $priority = min($later);
        yield from World::now()->hooks[$hook_name][$priority];
    }
}

function register_activation_hook($file, $callback)
{
    add_action('activate', $callback);
}

function register_deactivation_hook($file, $callback)
{
    add_action('deactivate', $callback);
}

function get_option($option, $default_value = false)
{
    return World::now()->options[$option] ?? $default_value;
}

function update_option($option, $value, $autoload = null)
{
    World::now()->step();
    World::now()->options[$option] = $value;
    return true;
}

function delete_option($option)
{
    unset(World::now()->options[$option]);
    return true;
}

/** Refuses what the real one is known to misread. */
function dbDelta($queries = '', $execute = true)
{
    $lines = array_map(trim(...), explode("\n", $queries));
    if (!preg_match('/^CREATE TABLE (\w+) \($/D', array_shift($lines), $table) || !preg_match('/^\) .*;$/D', array_pop($lines))) {
        throw new InvalidArgumentException('dbDelta would not understand this statement');
    }
    [$columns, $keys] = [[], []];
    foreach ($lines as $line) {
        $line = rtrim($line, ',');
        if (preg_match('/^KEY (\w+) \((\w+)\)$/D', $line, $found)) {
            $keys[] = "CREATE INDEX IF NOT EXISTS $table[1]_$found[1] ON $table[1] ($found[2])";
        } elseif (preg_match('/^(PRIMARY KEY  \(\w+\)|[a-z_]+ [a-z]+(\(\d+\))?( unsigned)?( NOT NULL)?( DEFAULT \S+)?)$/D', $line)) {
            $columns[] = str_replace(' unsigned', '', $line);
        } else {
            throw new InvalidArgumentException("dbDelta would not understand $line");
        }
    }
    foreach (["CREATE TABLE IF NOT EXISTS $table[1] (" . implode(', ', $columns) . ')', ...$keys] as $statement) {
        World::now()->database->query($statement) !== false || throw new RuntimeException(World::now()->database->last_error);
    }
}

function wp_remote_request($url, $args = [])
{
    World::now()->step();
    $answer = (World::now()->http)($url, $args);
    World::now()->step();
    return $answer;
}

function is_wp_error($thing)
{
    return $thing instanceof WP_Error;
}

function wp_remote_retrieve_headers($response)
{
    return $response['headers'];
}

function wp_remote_retrieve_response_code($response)
{
    return $response['response']['code'];
}

function wp_remote_retrieve_body($response)
{
    return $response['body'];
}

function __($text, $domain = 'default')
{
    return $domain === 'payframe-woocommerce' ? $text : throw new InvalidArgumentException("$text has no domain");
}

function esc_html__($text, $domain = 'default')
{
    return esc_html(__($text, $domain));
}

function esc_attr__($text, $domain = 'default')
{
    return esc_html(__($text, $domain));
}

function esc_html($text)
{
    return htmlspecialchars((string) $text, ENT_QUOTES);
}

function esc_attr($text)
{
    return esc_html($text);
}

function esc_url($url, $protocols = null, $_context = 'display')
{
    return esc_html($url);
}

function wp_print_script_tag($attributes)
{
    echo '<script';
    array_walk($attributes, static function (string $value, string $name): void {
        echo " $name=\"" . esc_attr($value) . '"';
    });
    echo '></script>';
}

function wp_register_script($handle, $src, $deps = [], $ver = false, $args = [])
{
    return true;
}

function plugins_url($path = '', $plugin = '')
{
    return "https://shop.example/wp-content/plugins/payframe-woocommerce/$path";
}

function plugin_basename($file)
{
    return 'payframe-woocommerce/' . basename($file);
}

function load_plugin_textdomain($domain, $deprecated = false, $plugin_rel_path = false)
{
    return true;
}

function home_url($path = '', $scheme = null)
{
    return 'https://shop.example/store' . $path;
}

function rest_url($path = '', $scheme = 'rest')
{
    return (World::now()->options['test_rest'] ?? 'https://shop.example/store/wp-json/') . $path;
}

function register_rest_route($route_namespace, $route, $args = [], $override = false)
{
    World::now()->routes["$route_namespace$route"] = $args;
    return true;
}

function add_query_arg(...$args)
{
    [$values, $address] = $args;
    return $address . (str_contains($address, '?') ? '&' : '?') . http_build_query($values);
}

function determine_locale()
{
    return 'de_AT';
}

function get_current_user_id()
{
    return World::now()->user;
}

function current_user_can($capability, ...$args)
{
    return World::now()->user === 1;
}

/** The program ends behind it. */
function wp_safe_redirect($location, $status = 302, $x_redirect_by = 'WordPress')
{
    throw new Payframe\WooCommerce\Tests\Fake\Killed($location);
}

function nocache_headers()
{
}

function wp_unslash($value)
{
    return $value;
}

function wp_doing_cron()
{
    return World::now()->options['test_cron'] ?? true;
}

function wp_next_scheduled($hook, $args = [])
{
    return World::now()->planned[$hook] ?? false;
}

function wp_schedule_event($timestamp, $recurrence, $hook, $args = [], $wp_error = false)
{
    World::now()->planned[$hook] = $timestamp;
    return true;
}

function wp_clear_scheduled_hook($hook, $args = [], $wp_error = false)
{
    unset(World::now()->planned[$hook]);
    return 1;
}
