<?php

declare(strict_types=1);

namespace Payframe;

use Payframe\Exception\PayframeException;

/** Disputes: a buyer's bank asks about a captured payment, or takes its money back, and the merchant answers before a deadline. */
final class Disputes
{
    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * A page of disputes, the newest first, without their evidence. For the next page repeat the call with `after` = `disputeId` of the
     * last row.
     *
     * @param array<string, string|int|bool|null> $query of `GET /disputes`
     * @return array{disputes: list<array<string, mixed>>, hasMore: bool}
     */
    public function list(array $query = []): array
    {
        /** @var array{disputes: list<array<string, mixed>>, hasMore: bool} */
        return $this->transport->call('GET', '/disputes', query: $query);
    }

    /**
     * All disputes that the query asks for, page by page, such as those of `['state' => 'NEEDS_RESPONSE']`.
     *
     * @param array<string, string|int|bool|null> $query of `GET /disputes`
     * @return \Generator<int, array<string, mixed>>
     */
    public function all(array $query = []): \Generator
    {
        do {
            $page = $this->list($query);
            foreach ($page['disputes'] as $dispute) {
                yield $dispute;
                $query['after'] = $dispute['disputeId'];
            }
        } while ($page['hasMore'] && $page['disputes'] !== []);
    }

    /** A dispute, with the evidence that was submitted last and its files. @return array<string, mixed> */
    public function read(string $disputeId): array
    {
        return $this->transport->call('GET', self::path($disputeId));
    }

    /**
     * Adds a file to the evidence that is submitted next.
     *
     * @param string $content the bytes of a PDF document, or of a PNG or JPEG picture: at most 4.5 MB
     * @return array<string, mixed>
     */
    public function addFile(string $disputeId, string $name, string $content, ?string $idempotencyKey = null): array
    {
        $file = ['name' => $name, 'content' => base64_encode($content)];
        return $this->transport->call('POST', self::path($disputeId) . '/files', $file, idempotencyKey: $idempotencyKey);
    }

    /**
     * A file with its content. Show it to nobody as a page of yours: somebody uploaded it.
     *
     * @return array{file: array<string, mixed>, content: string} `content` has the bytes
     */
    public function readFile(string $fileId): array
    {
        $answer = $this->transport->call('GET', self::filePath($fileId));
        $encoded = $answer['content'] ?? null;
        $content = \is_string($encoded) ? base64_decode($encoded, true) : false;
        if ($content === false) {
            throw PayframeException::of(ErrorKind::Gateway, 'unreadable_answer', 'The content of the file is no base64.');
        }
        return ['file' => Json::members($answer['file'] ?? null), 'content' => $content];
    }

    /** Removes a file that was not submitted yet. */
    public function removeFile(string $fileId, ?string $idempotencyKey = null): void
    {
        $this->transport->call('POST', self::filePath($fileId) . '/removal', idempotencyKey: $idempotencyKey);
    }

    /**
     * Submits texts, with all files of the dispute: at least one text or one file. Nothing can be changed afterwards.
     *
     * @param array{explanation?: string, goods?: string, delivery?: string, correspondence?: string, refundTerms?: string} $request
     * @return array<string, mixed>
     */
    public function submitEvidence(string $disputeId, array $request = [], ?string $idempotencyKey = null): array
    {
        return $this->transport->call('POST', self::path($disputeId) . '/evidence', $request, idempotencyKey: $idempotencyKey);
    }

    /** The buyer keeps the money, and the dispute is over. @return array<string, mixed> */
    public function accept(string $disputeId, ?string $idempotencyKey = null): array
    {
        return $this->transport->call('POST', self::path($disputeId) . '/acceptance', idempotencyKey: $idempotencyKey);
    }

    private static function path(string $disputeId): string
    {
        return '/disputes/' . Path::segment($disputeId, 'disputeId');
    }

    private static function filePath(string $fileId): string
    {
        return '/disputes/files/' . Path::segment($fileId, 'fileId');
    }
}
