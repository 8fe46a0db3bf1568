CREATE TABLE "map_calls" (
	"day" date NOT NULL,
	"service" text NOT NULL,
	"kind" text NOT NULL,
	"calls" integer NOT NULL,
	"failures" integer NOT NULL,
	"cost" bigint NOT NULL,
	CONSTRAINT "map_calls_day_service_kind_pk" PRIMARY KEY("day","service","kind")
);
