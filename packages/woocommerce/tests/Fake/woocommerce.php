<?php

declare(strict_types=1);

/** As much of WooCommerce as the plug-in uses, with the parameters of WooCommerce, and its order of writes and hooks. */

namespace Automattic\WooCommerce\Utilities {
    class FeaturesUtil
    {
        /** @var array<string, bool> */
        public static array $declared = [];

        public static function declare_compatibility(string $feature_id, string $plugin_file, bool $positive_compatibility = true): bool
        {
            self::$declared[$feature_id] = $positive_compatibility;
            return true;
        }
    }
}

namespace Automattic\WooCommerce\Blocks\Payments\Integrations {
    abstract class AbstractPaymentMethodType
    {
        protected $name = '';
        protected $settings = [];

        protected function get_setting($name, $default = '')
        {
            return $this->settings[$name] ?? $default;
        }

        public function get_name()
        {
            return $this->name;
        }

        abstract public function initialize();

        public function is_active()
        {
            return true;
        }

        public function get_payment_method_script_handles()
        {
            return [];
        }

        public function get_payment_method_data()
        {
            return [];
        }
    }
}

namespace {
    use Payframe\WooCommerce\Tests\Fake\World;

    abstract class WC_Settings_API
    {
        public $id = '';
        public $settings = [];
        public $form_fields = [];
        public $errors = [];

        public function init_settings()
        {
            $defaults = array_map(static fn (array $field): mixed => $field['default'] ?? '', $this->form_fields);
            $this->settings = get_option("woocommerce_{$this->id}_settings", []) + $defaults;
        }

        public function get_option($key, $empty_value = null)
        {
            return $this->settings[$key] ?? $empty_value ?? '';
        }

        /** The real one reads the posted form. */
        public function process_admin_options()
        {
            foreach (array_keys($this->form_fields) as $key) {
                try {
                    $value = $_POST["woocommerce_{$this->id}_$key"] ?? '';
                    $check = "validate_{$key}_field";
                    $this->settings[$key] = method_exists($this, $check) ? $this->$check($key, $value) : $value;
                } catch (Exception $e) {
                    $this->errors[] = $e->getMessage();
                }
            }
            return update_option("woocommerce_{$this->id}_settings", $this->settings);
        }

        public function admin_options()
        {
            echo '<table class="form-table"></table>';
        }
    }

    abstract class WC_Payment_Gateway extends WC_Settings_API
    {
        public $enabled = 'yes';
        public $title;
        public $description;
        public $method_title = '';
        public $method_description = '';
        public $has_fields;
        public $supports = ['products'];

        public function init_settings()
        {
            parent::init_settings();
            $this->enabled = $this->settings['enabled'] === 'yes' ? 'yes' : 'no';
        }

        public function needs_setup()
        {
            return false;
        }

        public function is_available()
        {
            return $this->enabled === 'yes';
        }

        public function supports($feature)
        {
            return in_array($feature, $this->supports, true);
        }

        public function can_refund_order($order)
        {
            return $order && $this->supports('refunds');
        }

        public function process_payment($order_id)
        {
            return [];
        }

        public function process_refund($order_id, $amount = null, $reason = '')
        {
            return false;
        }
    }

    /** An order or a refund: its members are those of `World::$orders` until it is saved. */
    abstract class WC_Abstract_Order
    {
        protected array $data = [];
        protected array $changes = [];

        public function __construct(protected int $id = 0)
        {
            $this->data = $id === 0 ? ['meta' => []] : World::now()->orders[$id];
        }

        public function get_id()
        {
            return $this->id;
        }

        protected function prop(string $name): mixed
        {
            return $this->changes[$name] ?? $this->data[$name] ?? null;
        }

        public function set_prop(string $name, mixed $value): void
        {
            $this->changes[$name] = $value;
        }

        public function get_meta($key = '', $single = true, $context = 'view')
        {
            return $this->prop('meta')[$key] ?? '';
        }

        public function update_meta_data($key, $value, $meta_id = 0)
        {
            $this->changes['meta'] = [$key => $value] + $this->prop('meta');
        }

        public function save()
        {
            World::now()->step();
            $this->id = $this->id ?: World::now()->number();
            $stored = World::now()->orders[$this->id] ?? [];
            $this->data = $this->changes + ['id' => $this->id] + $stored + $this->data;
            World::now()->orders[$this->id] = $this->data;
            $this->changes = [];
            World::now()->step();
            return $this->id;
        }
    }

    class WC_Order extends WC_Abstract_Order
    {
        private ?array $transition = null;

        public function get_status($context = 'view')
        {
            return $this->prop('status');
        }

        public function has_status($status)
        {
            return in_array($this->get_status(), (array) $status, true);
        }

        public function get_total($context = 'view')
        {
            return $this->prop('total');
        }

        public function get_currency($context = 'view')
        {
            return $this->prop('currency');
        }

        public function get_order_key($context = 'view')
        {
            return $this->prop('order_key');
        }

        public function get_customer_id($context = 'view')
        {
            return $this->prop('customer_id');
        }

        public function get_transaction_id($context = 'view')
        {
            return $this->prop('transaction_id') ?? '';
        }

        public function set_transaction_id($value)
        {
            $this->set_prop('transaction_id', $value);
        }

        public function get_date_paid($context = 'view')
        {
            return $this->prop('date_paid');
        }

        public function get_payment_method($context = 'view')
        {
            return $this->prop('payment_method');
        }

        public function set_payment_method($payment_method = '')
        {
            $this->set_prop('payment_method', $payment_method);
        }

        public function needs_payment()
        {
            return $this->has_status(['pending', 'failed']) && (float) $this->get_total() > 0;
        }

        public function get_checkout_payment_url($on_checkout = false)
        {
            return World::now()->shop . "/checkout/order-pay/$this->id/?key={$this->get_order_key()}" . ($on_checkout ? '' : '&pay_for_order=true');
        }

        public function get_checkout_order_received_url()
        {
            return World::now()->shop . "/checkout/order-received/$this->id/?key={$this->get_order_key()}";
        }

        public function get_edit_order_url()
        {
            return World::now()->shop . "/wp-admin/admin.php?page=wc-orders&action=edit&id=$this->id";
        }

        public function set_status($new_status, $note = '', $manual_update = false)
        {
            $from = $this->get_status();
            if ($from !== $new_status) {
                $this->set_prop('status', $new_status);
                $this->transition = ['from' => $from, 'to' => $new_status];
                if (in_array($new_status, ['processing', 'completed'], true) && $this->get_date_paid() === null) {
                    $this->set_prop('date_paid', 'now');
                }
            }
        }

        public function update_status($new_status, $note = '', $manual = false)
        {
            $this->set_status($new_status, $note, $manual);
            $this->save();
            if ($note !== '') {
                $this->add_order_note($note);
            }
            return true;
        }

        public function save()
        {
            parent::save();
            [$transition, $this->transition] = [$this->transition, null];
            if ($transition !== null) {
                World::now()->transitions[] = "$this->id $transition[from] $transition[to]";
                try {
                    do_action("woocommerce_order_status_$transition[to]", $this->id, $this);
                } catch (Exception $e) {
                    $this->add_order_note('Error during status transition. ' . $e->getMessage());
                }
            }
            return $this->id;
        }

        public function payment_complete($transaction_id = '')
        {
            try {
                if ($this->has_status(['on-hold', 'pending', 'failed', 'cancelled'])) {
                    $this->set_transaction_id($transaction_id);
                    $this->set_status($this->prop('is_download') ? 'completed' : 'processing');
                    $this->save();
                }
            } catch (Exception $e) {
                return false;
            }
            return true;
        }

        public function add_order_note($note, $is_customer_note = 0, $added_by_user = false)
        {
            World::now()->said[] = $note;
            return World::now()->number();
        }

        public function get_refunds()
        {
            $ids = array_keys(array_filter(World::now()->orders, fn (array $one): bool => ($one['parent'] ?? 0) === $this->id));
            return array_map(static fn (int $id): WC_Order_Refund => new WC_Order_Refund($id), array_reverse($ids));
        }

        public function get_total_refunded()
        {
            return array_sum(array_map(static fn (WC_Order_Refund $one): float => (float) $one->get_amount(), $this->get_refunds()));
        }
    }

    class WC_Order_Refund extends WC_Abstract_Order
    {
        public function get_amount($context = 'view')
        {
            return $this->prop('amount');
        }

        public function get_reason($context = 'view')
        {
            return $this->prop('reason');
        }

        public function delete($force_delete = false)
        {
            World::now()->step();
            unset(World::now()->orders[$this->id]);
            return true;
        }
    }

    function wc_get_order($the_order = false)
    {
        $stored = World::now()->orders[(int) $the_order] ?? null;
        return $stored === null ? false : (isset($stored['parent']) ? new WC_Order_Refund((int) $the_order) : new WC_Order((int) $the_order));
    }

    function wc_create_refund($args = [])
    {
        try {
            $order = wc_get_order($args['order_id']);
            $remaining = round((float) $order->get_total() - $order->get_total_refunded(), 2);
            if ((float) $args['amount'] <= 0 || (float) $args['amount'] > $remaining) {
                throw new Exception('Invalid refund amount.');
            }
            $refund = new WC_Order_Refund();
            $refund->set_prop('parent', $order->get_id());
            $refund->set_prop('amount', (string) $args['amount']);
            $refund->set_prop('reason', $args['reason'] ?? '');
            do_action('woocommerce_create_refund', $refund, $args);
            $refund->save();
            if ($args['refund_payment'] ?? false) {
                $gateway = new Payframe\WooCommerce\Gateway();
                $result = $gateway->process_refund($order->get_id(), $refund->get_amount(), $refund->get_reason());
                if ($result !== true) {
                    $refund->delete();
                    return is_wp_error($result) ? $result : new WP_Error('error', 'An error occurred');
                }
            }
            if (round($remaining - (float) $args['amount'], 2) <= 0) {
                wc_get_order($order->get_id())->update_status('refunded');
            }
            return $refund;
        } catch (Exception $e) {
            return new WP_Error('error', $e->getMessage());
        }
    }

    function wc_get_checkout_url()
    {
        return World::now()->shop . '/checkout/';
    }

    function wc_add_notice($message, $notice_type = 'success', $data = [])
    {
        World::now()->said[] = $message;
    }

    function wc_print_notice($message, $notice_type = 'success', $data = [], $return = false)
    {
        echo "<div role=\"status\">$message</div>";
    }

    function wc_get_logger()
    {
        return new class () {
            public function log($level, $message, $context = [])
            {
                World::now()->logged[] = "$level $message";
            }
        };
    }

    function WC()
    {
        return new class () {
            public function api_request_url($request, $ssl = null)
            {
                return World::now()->shop . "/wc-api/$request/";
            }
        };
    }

    // Shops can be without it.
    if (!defined('PAYFRAME_TEST_WITHOUT_ACTION_SCHEDULER')) {
        function as_schedule_recurring_action($timestamp, $interval_in_seconds, $hook, $args = [], $group = '', $unique = false, $priority = 10)
        {
            World::now()->planned["as $hook"] = $interval_in_seconds;
            return 1;
        }

        function as_has_scheduled_action($hook, $args = null, $group = '')
        {
            return isset(World::now()->planned["as $hook"]);
        }

        function as_unschedule_all_actions($hook, $args = [], $group = '')
        {
            unset(World::now()->planned["as $hook"]);
        }
    }
}
